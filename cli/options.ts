import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import * as z from 'zod';
import { UsageError } from '#lib/errors.ts';
import { openLog } from './log-file.ts';
import { refuseNamedFiles, secretsNextTo } from './named-files.ts';

const globals = z.object({
  config: z.string(),
  lake: z.string().refine(isPlace, { error: 'a folder, or s3://bucket/prefix' }),
  secrets: z.string().optional(),
  json: z.boolean().default(false),
});

/** The options that every command takes. */
export type GlobalOptions = z.infer<typeof globals>;

/** A mistyped s3:// must not become a folder of this machine. `C:/lake` and `./a:b` are folders. */
function isPlace(text: string): boolean {
  return /^s3:\/\/[^/]/.test(text) || !/^(s3:|[a-z][a-z\d+.-]+:\/)/i.test(text);
}

/** The greatest value of --players. */
export const MOST_PLAYERS = 1_000_000;

/** The options of a command and the global ones, before or after the command's name. Throws UsageError. */
export function optionsOf<Shape extends z.ZodRawShape>(command: Command, shape: Shape) {
  const given: Readonly<Record<string, unknown>> = command.optsWithGlobals();
  refuseEmpty(given);
  const result = globals.extend(shape).safeParse(given);
  if (result.success) {
    const files = globals.parse(given);
    const secrets = files.secrets ?? secretsThere(files.config);
    refuseNamedFiles({ ...given, ...files, secrets });
    return { ...result.data, secrets };
  }
  const [issue] = result.error.issues;
  const name = String(issue?.path[0]);
  throw new UsageError(`${flagOf(name)} is ${JSON.stringify(given[name])}, but must be ${issue?.message}.`);
}

/** Undefined without a file: the keys are then in AWS Secrets Manager, or where the config says. */
function secretsThere(config: string): string | undefined {
  const file = secretsNextTo(config);
  return existsSync(file) ? file : undefined;
}

/** An empty word comes from an unset variable: `--lake "$LAKE"`. Taken as it is, it means this folder. */
function refuseEmpty(given: Readonly<Record<string, unknown>>): void {
  const empty = Object.keys(given).find((name) => [given[name]].flat().includes(''));
  if (empty === undefined) return;
  throw new UsageError(
    `${flagOf(empty)} is empty, perhaps because a variable in it is not set: give it a value, or leave it out.`,
  );
}

function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** How the command line shows an option; `initial` is its text if nobody gives it. */
const SHOWN = z.registry<{ readonly flags: string; readonly says: string; readonly initial?: string }>();

/** An option, and how its text is read. */
export function option<Read extends z.ZodType>(flags: string, says: string, read: Read, initial?: string) {
  SHOWN.add(read, { flags, says, ...(initial !== undefined && { initial }) });
  return read;
}

/** An option without a value. */
export const flag = (flags: string, says: string) => option(flags, says, z.boolean().default(false));

export const IN_STACK = 'in the deployed stack, with rights for this command alone';

/** `--deployed` of a command that the deployed stack does. */
export const inStack = () => flag('--deployed', IN_STACK);

/** `--deployed` of a command that reads the lake of the deployed stack from here. */
export function ofStack(says = 'of the lake of the deployed stack') {
  const deployed = flag('--deployed', says);
  OF_STACK.add(deployed);
  return deployed;
}

const OF_STACK = new WeakSet<z.ZodType>();

/** An option with any text. */
export const text = (flags: string, says: string) => option(flags, says, z.string().optional());

/** An option that may come more than once. */
export const many = (flags: string, says: string) => option(flags, says, z.array(z.string()));

/** Adds options to a command, in their order. */
export function addOptions(command: Command, shape: z.ZodRawShape): void {
  for (const read of Object.values(shape) as z.ZodType[]) {
    const shown = SHOWN.get(read);
    if (shown === undefined) continue;
    const { flags, says, initial } = shown;
    if (read instanceof z.ZodArray) command.option(flags, says, collected, []);
    else command.option(flags, says, initial);
  }
}

/**
 * What a command does. Adds its options. `act` receives what they and the global ones say, and the
 * arguments. Throws UsageError for a wrong option, and without the stack whose lake `--deployed` reads.
 */
export function commandOf<Shape extends z.ZodRawShape>(
  command: Command,
  shape: Shape,
  act: (
    options: ReturnType<typeof optionsOf<Shape>>,
    ...args: readonly (string | undefined)[]
  ) => void | Promise<void>,
): void {
  addOptions(command, shape);
  command.action(async () => {
    const options = optionsOf(command, shape);
    const { deployed, config, logFile } = command.optsWithGlobals();
    // A file that belongs to something else was refused before: it gets no line.
    if (logFile !== undefined) openLog(logFile);
    if (deployed === true && OF_STACK.has(shape['deployed'] as z.ZodType)) {
      // No other command needs the SDK.
      const { deployedLake } = await import('./deployed-stack.ts');
      Object.assign(options, { lake: await deployedLake(config) });
    }
    await act(options, ...command.args);
  });
}

function collected(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value];
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
