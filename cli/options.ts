import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import * as z from 'zod';
import { readConfig } from '#lib/config/parse-config.ts';
import { UsageError } from '#lib/errors.ts';
import { refuseNamedFiles, secretsNextTo } from './named-files.ts';
import { openLog } from './say.ts';

/** A mistyped s3:// must not become a folder of this machine. `C:/lake` and `./a:b` are folders. */
const isPlace = (text: string) => /^s3:\/\/[^/]/.test(text) || !/^(s3:|[a-z][a-z\d+.-]+:\/)/i.test(text);

const globals = z.object({
  config: z.string(),
  lake: z.string().refine(isPlace, { error: 'a folder, or s3://bucket/prefix' }),
  secrets: z.string().optional(),
  json: z.boolean().default(false),
});

export type GlobalOptions = z.infer<typeof globals>;

export const MOST_PLAYERS = 1_000_000;

/** The options of a command and the global ones, before or after the command's name. Throws UsageError. */
function optionsOf<Shape extends z.ZodRawShape>(command: Command, shape: Shape) {
  const given: Readonly<Record<string, unknown>> = command.optsWithGlobals();
  // An empty word comes from an unset variable: `--lake "$LAKE"`. Taken as it is, it means this folder.
  const empty = Object.keys(given).find((name) => [given[name]].flat().includes(''));
  if (empty !== undefined)
    throw new UsageError(
      `${flagOf(empty)} is empty, perhaps because a variable in it is not set: give it a value, or leave it out.`,
    );
  const named = Object.keys(shape).filter((name) => SHOWN.get(shape[name] as z.ZodType)?.isArgument);
  const args = named.map((name, at) => [name, command.args[at]]);
  const { data, error } = globals.extend(shape).safeParse({ ...given, ...Object.fromEntries(args) });
  if (data === undefined) {
    const [issue] = error?.issues ?? [];
    const name = String(issue?.path[0]);
    throw new UsageError(`${flagOf(name)} is ${JSON.stringify(given[name])}, but must be ${issue?.message}.`);
  }
  const files = globals.parse(given);
  const file = secretsNextTo(files.config);
  // Undefined without a file: the keys are then in AWS Secrets Manager, or where the config says.
  const secrets = files.secrets ?? (existsSync(file) ? file : undefined);
  refuseNamedFiles({ ...given, ...files, secrets });
  return { ...data, secrets };
}

export type OptionsOf<Shape extends z.ZodRawShape> = ReturnType<typeof optionsOf<Shape>>;

/** `accountId` → `--account-id`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** How the help shows an option or argument. Its name in a shape is that of the option. */
const SHOWN = z.registry<{
  /** What stands for its value: `<file>`; empty for a flag. */
  readonly value: string;
  readonly says: string;
  /** Its text if nobody gives it. */
  readonly initial?: string | undefined;
  readonly isArgument?: boolean;
  /** True for `--deployed` of a command that reads the lake of the stack from here. */
  readonly isOfStack?: boolean;
}>();

/** An option, and how its text is read. */
export function option<Read extends z.ZodType>(value: string, says: string, read: Read, initial?: string) {
  SHOWN.add(read, { value, says, initial });
  return read;
}

export const flag = (says: string) => option('', says, z.boolean().default(false));
/** `--no-…`, which makes the option false. */
export const noFlag = (says: string) => option('', says, z.boolean().default(true));

export const IN_STACK = flag('in the deployed stack, with rights for this command alone');

/** `--deployed` of a command that reads the lake of the deployed stack from here. */
export function ofStack(says = 'of the lake of the deployed stack') {
  const deployed = z.boolean().default(false);
  SHOWN.add(deployed, { value: '', says, isOfStack: true });
  return deployed;
}

export const text = (value: string, says: string) => option(value, says, z.string().optional());
/** An option that may come more than once. */
export const many = (value: string, says: string) => option(value, says, z.array(z.string()));

/** An argument, which has no name in the command line, and how its text is read. */
export function argument<Read extends z.ZodType>(value: string, says: string, read: Read, initial?: string) {
  SHOWN.add(read, { value, says, initial, isArgument: true });
  return read;
}

export const word = (value: string, says: string) => argument(value, says, z.string());
export const optionalWord = (value: string, says: string) => argument(value, says, z.string().optional());

/** Adds options to a command, and what it does with them. Throws UsageError for a wrong option. */
export function commandOf<Shape extends z.ZodRawShape>(
  shape: Shape,
  act: (options: OptionsOf<Shape>) => void | Promise<void>,
): (command: Command) => void {
  const collected = (value: string, earlier: readonly string[]) => [...earlier, value];
  return (command) => {
    for (const [name, read] of Object.entries(shape) as [string, z.ZodType][]) {
      const { value = '', says = '', initial, isArgument } = SHOWN.get(read) ?? {};
      const without = read.safeParse(undefined);
      const flags = `${flagOf(without.data === true ? `no-${name}` : name)} ${value}`.trim();
      if (isArgument) command.argument(value, says, initial);
      else if (read instanceof z.ZodArray) command.option(flags, says, collected, []);
      else if (initial === undefined && !without.success) command.requiredOption(flags, says);
      else command.option(flags, says, initial);
    }
    command.action(async () => {
      const options = optionsOf(command, shape);
      const { deployed, config, logFile } = command.optsWithGlobals();
      // A file that belongs to something else was refused before: it gets no line.
      if (logFile !== undefined) openLog(logFile);
      if (deployed === true && SHOWN.get(shape['deployed'] as z.ZodType)?.isOfStack) {
        // No other command needs the SDK.
        const { deployedStack } = await import('./deployed.ts');
        const output = await deployedStack(await readConfig(config));
        Object.assign(options, { lake: output('Lake') });
      }
      await act(options);
    });
  };
}

/** What adds commands below a command: by their names, what each does, and what adds its options and action. */
export const innerCommands =
  (inner: Readonly<Record<string, readonly [string, (command: Command) => void]>>) =>
  (command: Command): void => {
    for (const [name, [says, add]] of Object.entries(inner)) add(command.command(name).description(says));
  };

/** A whole number, in digits. */
export const wholeOption = (least: number, most: number) => numberOption(least, most, 'whole number');

/** A number in digits, with decimals unless it is whole. */
export function numberOption(least: number, most: number, what: 'number' | 'whole number' = 'number') {
  const pattern = what === 'number' ? /^\d+(\.\d+)?$/ : /^\d+$/;
  const error = `a ${what} from ${least} to ${most}`;
  return z
    .string({ error })
    .refine((text) => pattern.test(text) && Number(text) >= least && Number(text) <= most, { error })
    .transform(Number);
}
