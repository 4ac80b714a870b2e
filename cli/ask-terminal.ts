import { isCancel, password, select, text } from '@clack/prompts';
import { UsageError } from '#lib/errors.ts';

/** How questions are asked. */
export interface Asking {
  select(message: string, choices: readonly string[]): Promise<string>;
  text(message: string, options: { readonly example: string; readonly initial?: string }): Promise<string>;
  hidden(message: string): Promise<string>;
}

const output = process.stderr;

/** Asks whoever sits at the terminal. Throws UsageError CANCELLED where the question is left. */
export const terminal: Asking = {
  select: async (message, choices) =>
    answered(await select({ message, options: choices.map((value) => ({ value })), output })),
  text: async (message, { example, initial }) =>
    answered(
      await text({
        message,
        placeholder: example,
        ...(initial !== undefined && { initialValue: initial }),
        validate: (value) => (value?.trim() ? undefined : `such as ${example}`),
        output,
      }),
    ).trim(),
  hidden: async (message) =>
    answered(
      await password({ message, validate: (value) => (value?.trim() ? undefined : 'a key'), output }),
    ).trim(),
};

function answered(answer: string | symbol): string {
  if (typeof answer === 'string' && !isCancel(answer)) return answer;
  throw new UsageError('No file was written.', 'CANCELLED');
}
