import { commandLine } from './program-name.ts';
import { note } from './say.ts';

/** A shell's code for a program that Ctrl-C ended: 128 and the number of the signal. */
export const INTERRUPTED = 130;

/** At Ctrl-C says how the run of that time, or else the command, goes on, and ends. Disposal restores Ctrl-C. */
export function onInterrupt(runTime?: Date): Disposable {
  const words = process.argv.slice(2);
  const isGiven = runTime === undefined || words.some((word) => /^--run-time(=|$)/.test(word));
  if (!isGiven) words.push('--run-time', runTime.toISOString());
  const says =
    runTime === undefined
      ? '. To complete the command, start it again:'
      : // A batch is written when it ends.
        ' and finished batches are kept; the calls of a batch under way are made again. To go on where it ended:';
  const stop = () => {
    note(`interrupted: committed tables are whole${says}\n  ${commandLine(words)}`);
    process.exit(INTERRUPTED);
  };
  process.once('SIGINT', stop);
  return { [Symbol.dispose]: () => void process.off('SIGINT', stop) };
}
