import { commandLine } from './program-name.ts';
import { note } from './say.ts';

/** What a shell says of a program that Ctrl-C ended: 128 and the number of the signal. */
export const INTERRUPTED = 130;

/** What a run has on the disk when it is interrupted: a batch is written when it ends. */
const KEPT =
  'committed tables are whole and finished batches are kept; the calls of a batch under way are made again.';

/** At Ctrl-C says by which command the run goes on where it ended, and ends. Disposed of, it leaves Ctrl-C as it was. */
export function onInterrupt(runTime: Date, words: readonly string[]): Disposable {
  const stop = () => {
    note(`interrupted: ${KEPT} To go on where it ended:\n  ${resuming(runTime, words)}`);
    process.exit(INTERRUPTED);
  };
  process.once('SIGINT', stop);
  return { [Symbol.dispose]: () => void process.off('SIGINT', stop) };
}

/** The command line by which the run of that time goes on; `words` are those of the command line that began it. */
function resuming(runTime: Date, words: readonly string[]): string {
  const given = words.some((word) => /^--run-time(=|$)/.test(word));
  const all = given ? words : [...words, '--run-time', runTime.toISOString()];
  return commandLine(all);
}
