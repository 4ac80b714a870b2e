import type { Command } from 'commander';
import * as z from 'zod';
import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import type { Head } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { previewOperation } from '#lib/repair/preview-operation.ts';
import type { RepairServices } from '#lib/repair/run-again.ts';
import type { OperationPreview, PreviewedOperation } from '#lib/run/payloads.ts';
import { operate } from './operate.ts';
import { addOptions, commandOf, type GlobalOptions, inStack, optionsOf } from './options.ts';
import { dryRun, isToBeDone, yes } from './say-first.ts';

type Given = GlobalOptions & { readonly deployed: boolean };

interface Done {
  readonly head: Head;
  /** What it has changed, where it says so. */
  readonly changes?: OperationPreview | undefined;
}

export interface OperatorCommand {
  readonly operation: PreviewedOperation;
  /** What it would change, in one or more sentences. */
  readonly asks: (found: OperationPreview) => string;
  /** Does it from this machine. */
  readonly run: (services: RepairServices) => Promise<Done>;
  /** Says what it has done. */
  readonly ended: (
    done: Done & { readonly lake: Lake; readonly config: Config },
    options: Given,
  ) => void | Promise<void>;
}

/** A command that first shows its changes to the committed tables. Then it makes them here or in the deployed stack. */
export function operatorCommand<Shape extends z.ZodRawShape>(
  command: Command,
  shape: Shape,
  describe: (own: z.infer<z.ZodObject<Shape>>, ...args: readonly (string | undefined)[]) => OperatorCommand,
): void {
  addOptions(command, shape);
  const first = { dryRun: dryRun(), yes: yes(), deployed: inStack() };
  commandOf(command, first, async (options, ...args) => {
    const own = z.object(shape).parse(optionsOf(command, shape));
    const { operation, asks, run, ended } = describe(own, ...args);
    const config = await readConfig(options.config);
    const preview = async () => {
      const { changes } = await operate(options, {
        operation: { command: 'preview', of: operation },
        config,
        here: async (services) => ({ changes: await previewOperation(operation, services) }),
      });
      if (changes !== undefined) return changes;
      throw new Error('The preview came back without its changes.');
    };
    if (!(await isToBeDone({ ...options, preview, text: asks }))) return;
    const done = await operate(options, { operation, config, here: run });
    await ended({ ...done, config }, options);
  });
}
