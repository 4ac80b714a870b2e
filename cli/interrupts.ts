import { commandLine } from './program-name.ts';
import { note } from './say.ts';

/** A shell's code for a program that Ctrl-C ended: 128 and the number of the signal. */
export const INTERRUPTED = 130;

/** At Ctrl-C shows the command that continues the run, and ends. Its disposal restores Ctrl-C. */
export function onInterrupt(runTime: Date, words: readonly string[]): Disposable {
  // A batch is written when it ends.
  const kept =
    ' and finished batches are kept; the calls of a batch under way are made again. To go on where it ended:';
  const given = words.some((word) => /^--run-time(=|$)/.test(word));
  return sayingAtInterrupt(kept, given ? words : [...words, '--run-time', runTime.toISOString()]);
}

/** The same for an operator's command, which another start completes. */
export function onInterruptByHand(): Disposable {
  return sayingAtInterrupt('. To complete the command, start it again:', process.argv.slice(2));
}

function sayingAtInterrupt(kept: string, words: readonly string[]): Disposable {
  const stop = () => {
    note(`interrupted: committed tables are whole${kept}\n  ${commandLine(words)}`);
    process.exit(INTERRUPTED);
  };
  process.once('SIGINT', stop);
  return { [Symbol.dispose]: () => void process.off('SIGINT', stop) };
}
