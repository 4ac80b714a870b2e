import type { Command } from 'commander';
import type * as z from 'zod';
import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import type { Head } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { previewOperation } from '#lib/repair/preview-operation.ts';
import type { RepairServices } from '#lib/repair/run-again.ts';
import type { Operated, Operation, OperationPreview, PreviewedOperation } from '#lib/run/payloads.ts';
import type { RunSummary } from '#lib/run/summary.ts';
import { onInterruptByHand } from './interrupts.ts';
import { leavingDatabase } from './leaving-database.ts';
import { LOCAL_HOLDER } from './local-holder.ts';
import { existingLake, localServices, openSecrets } from './local-services.ts';
import { commandOf, type GlobalOptions, IN_STACK, type OptionsOf } from './options.ts';
import { showProgress } from './progress.ts';
import { note, say } from './say.ts';
import { isAgreed } from './say-first.ts';

interface Wanted<Done extends object> {
  readonly operation: Operation;
  /** Does the same from this machine. */
  readonly run: (services: RepairServices) => Promise<Done>;
}

/** Does an operation in the deployed stack, or here. Here it reads the masks' key only if something is masked. */
export async function operate<Done extends object>(
  { operation, run }: Wanted<Done>,
  config: Config,
  { deployed, lake, secrets }: Pick<GlobalOptions, 'lake' | 'secrets'> & { readonly deployed: boolean },
) {
  if (deployed) {
    const { operateDeployed } = await import('./deployed.ts');
    return await operateDeployed(config, operation);
  }
  using _ = onInterruptByHand();
  using progress = showProgress();
  const services = leavingDatabase(localServices(await existingLake(lake), progress.on));
  const maskKey = async (name: string) => (await (await openSecrets(secrets)).readKey?.(name)) ?? '';
  const done = await run({ ...services, ...LOCAL_HOLDER, maskKey, config });
  return { ...done, lake: services.lake };
}

interface Committed extends Partial<Pick<Operated, 'changes' | 'execution'>> {
  readonly head: Head;
  /** Of the run whose stages it called. */
  readonly summary?: RunSummary;
}

/** An operation that begins at once, or one that first says in sentences what it would change. */
export type OperatorCommand = Wanted<Committed> & {
  readonly ended: (
    done: Committed & { readonly lake: Lake; readonly config: Config },
  ) => void | Promise<void>;
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
    const options = given as unknown as GlobalOptions & { readonly deployed: boolean } & SayFirst;
    const wanted = await describe(given as unknown as OptionsOf<Shape>);
    const config = await readConfig(options.config);
    if (wanted.asks !== undefined) {
      const { operation, asks } = wanted;
      const run = async (services: RepairServices) => ({
        changes: await previewOperation(operation, services),
      });
      const preview = async () => {
        const shown = { operation: { command: 'preview', of: operation }, run } as const;
        const { changes } = await operate(shown, config, options);
        if (changes !== undefined) return changes;
        throw new Error('The preview came back without its changes.');
      };
      if (!(await isToBeDone(options, preview, asks))) return;
    }
    await wanted.ended({ ...(await operate(wanted, config, options)), config });
  });
}

interface SayFirst extends Pick<GlobalOptions, 'json'> {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/**
 * Whether a command that removes something continues. With --dry-run it only shows what would change. A person at a
 * terminal sees it and must agree, unless --yes is set. Without a terminal a script has decided it.
 */
async function isToBeDone(
  { dryRun, yes, json }: SayFirst,
  preview: () => Promise<OperationPreview>,
  asks: (found: OperationPreview) => string,
): Promise<boolean> {
  if (!dryRun && (yes || !process.stdin.isTTY)) return true;
  const found = await preview();
  if (json && dryRun) say({ dryRun: true, ...found });
  else if (json) note(asks(found));
  else say(dryRun ? `${asks(found)} Nothing is changed.` : asks(found));
  if (dryRun) return false;
  const isWanted = await isAgreed();
  if (!isWanted) note('Nothing is changed.');
  return isWanted;
}
