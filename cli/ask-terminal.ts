import type { Readable, Writable } from 'node:stream';
import { isCancel, password, select, text } from '@clack/prompts';
import { plainKeyFault } from '#lib/api/plain-key.ts';
import { UsageError } from '#lib/errors.ts';

export interface Asking {
  select(message: string, choices: readonly string[]): Promise<string>;
  /** `fault` returns what is wrong with an answer; then the question comes again. */
  text(message: string, options: TextOptions): Promise<string>;
  hidden(message: string): Promise<string>;
}

interface TextOptions {
  readonly example: string;
  readonly initial?: string;
  readonly fault: (value: string) => string | undefined;
}

/** Asks the person at the terminal. Throws UsageError CANCELLED if the person leaves the question. */
export function askTerminal(
  terminal: { readonly input: Readable; readonly output: Writable } = {
    input: process.stdin,
    output: process.stderr,
  },
): Asking {
  const answered = (answer: string | symbol): string => {
    if (typeof answer === 'string' && !isCancel(answer)) return answer.trim();
    throw new UsageError('No file was written.', 'CANCELLED');
  };
  return {
    select: async (message, choices) =>
      answered(await select({ message, options: choices.map((value) => ({ value })), ...terminal })),
    text: async (message, { example, initial, fault }) =>
      answered(
        await text({
          message,
          placeholder: example,
          ...(initial !== undefined && { initialValue: initial }),
          validate: (value) => (value?.trim() ? fault(value.trim()) : `such as ${example}`),
          ...terminal,
        }),
      ),
    hidden: async (message) =>
      answered(
        await password({
          message,
          validate: (value) => (value?.trim() ? plainKeyFault(value.trim()) : 'a key'),
          ...terminal,
        }),
      ),
  };
}
