import { isCancel, password, select, text } from '@clack/prompts';
import { plainKeyFault } from '#lib/api/plain-key.ts';
import { UsageError } from '#lib/errors.ts';

const TERMINAL = { input: process.stdin, output: process.stderr };

export interface TextQuestion {
  readonly message: string;
  readonly example: string;
  readonly initial?: string;
  /** Returns what is wrong with an answer; then the question comes again. */
  readonly fault: (value: string) => string | undefined;
}

/** Each question throws UsageError CANCELLED if the person at the terminal leaves it. */
export async function askChoice(message: string, choices: readonly string[]): Promise<string> {
  return answered(await select({ message, options: choices.map((value) => ({ value })), ...TERMINAL }));
}

export async function askText({ message, example, initial, fault }: TextQuestion): Promise<string> {
  const validate = (value?: string) => (value?.trim() ? fault(value.trim()) : `such as ${example}`);
  const initialValue = initial ?? '';
  return answered(await text({ message, placeholder: example, initialValue, validate, ...TERMINAL }));
}

export async function askHidden(message: string): Promise<string> {
  const validate = (value?: string) => (value?.trim() ? plainKeyFault(value.trim()) : 'a key');
  return answered(await password({ message, validate, ...TERMINAL }));
}

function answered(answer: string | symbol): string {
  if (typeof answer === 'string' && !isCancel(answer)) return answer.trim();
  throw new UsageError('No file was written.', 'CANCELLED');
}
