import type { Command } from 'commander';
import { z } from 'zod';
import { UsageError } from '#lib/errors.ts';

const globals = z.object({
  config: z.string(),
  lake: z.string(),
  secrets: z.string().optional(),
  json: z.boolean().default(false),
});

/** The options that every command takes. */
export type GlobalOptions = z.infer<typeof globals>;

/** The greatest value of --players. */
export const MOST_PLAYERS = 1_000_000;

/** The options of a command and the global ones, before or after the command's name. Throws UsageError. */
export function optionsOf<Shape extends z.ZodRawShape>(command: Command, shape: Shape) {
  const given: Readonly<Record<string, unknown>> = command.optsWithGlobals();
  const result = globals.extend(shape).safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const name = String(issue?.path[0]);
  const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new UsageError(`--${flag} is ${JSON.stringify(given[name])}, but must be ${issue?.message}.`);
}

/** A whole number, in digits. */
export function wholeOption(least: number, most: number) {
  return numberIn(/^\d+$/, { least, most, due: `a whole number from ${least} to ${most}` });
}

/** A number in digits, with decimals or without. */
export function numberOption(least: number, most: number) {
  return numberIn(/^\d+(\.\d+)?$/, { least, most, due: `a number from ${least} to ${most}` });
}

function numberIn(
  pattern: RegExp,
  { least, most, due }: { readonly least: number; readonly most: number; readonly due: string },
) {
  return z
    .string({ error: due })
    .refine((text) => pattern.test(text) && Number(text) >= least && Number(text) <= most, { error: due })
    .transform(Number);
}

/** For an option that may be given several times. */
export function collectInto(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value];
}
