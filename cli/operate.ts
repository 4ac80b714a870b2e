import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type * as z from 'zod';
import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { UsageError } from '#lib/errors.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { doOperation } from '#lib/repair/do-operation.ts';
import type { Done, RepairServices } from '#lib/repair/run-again.ts';
import type { Extent, Operated, Operation, OperationPreview, PreviewedOperation } from '#lib/run/payloads.ts';
import type { RunSummary } from '#lib/run/summary.ts';
import { onInterrupt } from './interrupts.ts';
import { existingLake, LOCAL_HOLDER, leavingDatabase, localServices, openSecrets } from './local-services.ts';
import { commandOf, flag, type GlobalOptions, IN_STACK, type OptionsOf } from './options.ts';
import { showProgress } from './progress.ts';
import { note, say } from './say.ts';

export const YES = flag('do it without a question; without this, a terminal asks');

/** The options of a command that can first show what it would change. */
export const FIRST = {
  dryRun: flag('only say what would change, in rows and bytes'),
  yes: YES,
};

interface Ended extends Done, Pick<Operated, 'execution'> {
  /** Of the run whose stages it called. */
  readonly summary?: RunSummary;
}

type Wanted =
  | { readonly operation: Parameters<typeof doOperation>[0]; readonly run?: undefined }
  /** `run` does the same from this machine. */
  | { readonly operation: Operation; readonly run: (services: RepairServices) => Promise<Ended> };

/** Does an operation in the deployed stack, or here. Here it reads the masks' key only if something is masked. */
export async function operate(
  wanted: Wanted,
  config: Config,
  { deployed, lake, secrets }: Pick<Options, 'lake' | 'secrets' | 'deployed'>,
): Promise<Ended & { readonly lake: Lake }> {
  if (deployed) {
    const { operateDeployed } = await import('./deployed.ts');
    return await operateDeployed(config, wanted.operation);
  }
  using _ = onInterrupt();
  using progress = showProgress();
  const services = leavingDatabase(localServices(await existingLake(lake), progress.on));
  const maskKey = async (name: string) => await (await openSecrets(secrets)).readKey(name);
  const own = { ...services, ...LOCAL_HOLDER, maskKey, config };
  const ended = await (wanted.run === undefined ? doOperation(wanted.operation, own) : wanted.run(own));
  return { ...ended, lake: services.lake };
}

/** An operation that begins at once, or one that first says in sentences what it would change. */
export type OperatorCommand = Wanted & {
  readonly ended: (done: Ended & { readonly lake: Lake; readonly config: Config }) => void | Promise<void>;
} & (
    | { readonly asks?: undefined }
    | { readonly operation: PreviewedOperation; readonly asks: (found: OperationPreview) => string }
  );

/** A command that changes the committed tables, here or in the deployed stack. */
export function operatorCommand<Shape extends z.ZodRawShape>(
  shape: Shape,
  describe: (options: OptionsOf<Shape>) => OperatorCommand | Promise<OperatorCommand>,
): (command: Command) => void {
  return commandOf({ ...shape, deployed: IN_STACK }, async (given) => {
    const options = given as unknown as Options;
    const wanted = await describe(given as unknown as OptionsOf<Shape>);
    const config = await readConfig(options.config);
    if (wanted.asks !== undefined) {
      const { operation, asks } = wanted;
      const preview = { operation: { command: 'preview', of: operation } } as const;
      const found = async () => (await operate(preview, config, options)).changes;
      if (!(await isToBeDone(options, found, asks))) return;
    }
    await wanted.ended({ ...(await operate(wanted, config, options)), config });
  });
}

interface Options extends GlobalOptions {
  readonly deployed: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** --dry-run only shows what would change. A person at a terminal must agree, unless --yes. A script has decided. */
async function isToBeDone(
  { dryRun, yes, json }: Options,
  preview: () => Promise<OperationPreview | undefined>,
  asks: (found: OperationPreview) => string,
): Promise<boolean> {
  if (!dryRun && (yes || !process.stdin.isTTY)) return true;
  const found = await preview();
  if (found === undefined) throw new Error('The preview came back without its changes.');
  if (json && dryRun) say({ dryRun: true, ...found });
  else if (json) note(asks(found));
  else say(dryRun ? `${asks(found)} Nothing is changed.` : asks(found));
  if (dryRun) return false;
  const isWanted = await isAgreed();
  if (!isWanted) note('Nothing is changed.');
  return isWanted;
}

/** Whether a person at the terminal agrees. Throws UsageError CANCELLED if Ctrl-C or Ctrl-D leaves the question. */
export async function isAgreed(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question('Do it? [y/N] ');
    return /^y(es)?$/i.test(answer.trim());
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
    throw new UsageError('Nothing is changed.', 'CANCELLED');
  } finally {
    terminal.close();
  }
}

/** `2,480 rows (1.2 MB in 18 files)`. */
export function extentText({ files, rows, bytes }: Extent): string {
  const inFiles = files === 0 ? '' : ` in ${counts(files, 'file')}`;
  return `${counts(rows, 'row')} (${sizeText(bytes)}${inFiles})`;
}

/** `45 files of raw answers (3.4 MB)`. */
export function rawText({ files, bytes }: OperationPreview['raw']): string {
  return `${counts(files, 'file')} of raw answers (${sizeText(bytes)})`;
}

function counts(count: number, what: string): string {
  return `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`;
}

/** Bytes for people, with one decimal: `1.2 MB`. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const size = bytes / 1000 ** power;
  return `${power === 0 ? size : size.toFixed(1)} ${units[power]}`;
}
