import * as z from 'zod';
import { COLUMN_TYPES } from '../column-types.ts';
import { RESOURCE_NAMES } from '../sources/resources.ts';

/**
 * What the states of infra/export.asl.json hand to each other. A payload holds numbers and names alone, for AWS allows
 * 262,144 bytes. What happened lies in raw and below state/runs.
 */
const attempt = { runId: z.string(), attempt: z.number().int().positive() };

/** What a start asks for; nothing in it = every source, scheduled now. */
export const startEvent = z.object({
  scheduledTime: z.iso.datetime({ offset: true }).optional(),
  /** The time is that of the machine's own clock: neither a person nor the Scheduler of AWS has named it. */
  isByOwnClock: z.boolean().optional(),
  sources: z.array(z.string()).optional(),
  acceptShrink: z.array(z.string()).optional(),
  /** Sources that have left the config on purpose. */
  acceptSourceRemoval: z.array(z.string()).optional(),
});
export type StartEvent = z.infer<typeof startEvent>;

/** The input of an execution, which the state machine itself reads: a list for each source, then the others. */
export interface ExecutionInput {
  readonly runId: string;
  readonly attempt: number;
  readonly sources: readonly string[];
}

export const listEvent = z.object({ ...attempt, source: z.string() });
export type ListEvent = z.infer<typeof listEvent>;

/** Asks the function of list whether the named source answers from where it runs. */
export const smokeEvent = z.strictObject({ smoke: z.string() });

/** The batches of a pass over a source, and how many of them may run at once. */
export interface Work {
  readonly pass: number;
  readonly width: number;
  /** Batch numbers from 0. */
  readonly batches: readonly number[];
  /** For so long the server has asked to wait before the next call. */
  readonly waitSeconds: number;
}

/** In the place of batches: nothing may be asked for now. Collect answers that all is left. */
export const NOTHING_NOW = -1;

/** What list hands on. */
export interface ListWork extends Work {
  /** A listing is to be asked for once more when the wait is over; the batches come after it. */
  readonly again: boolean;
  /** The batches that may be asked for now: all of them, or `NOTHING_NOW`. */
  readonly now: readonly number[];
}

export const collectEvent = z.object({
  ...attempt,
  source: z.string(),
  pass: z.number().int().nonnegative(),
  width: z.number().int().positive(),
  batch: z.number().int().min(NOTHING_NOW),
});
export type CollectEvent = z.infer<typeof collectEvent>;

/** 0: every item of the batch has its outcome. 1: some may be tried again. */
export type Left = 0 | 1;

export const sweepEvent = z.object({ ...attempt, source: z.string(), pass: z.number().int().nonnegative() });
export type SweepEvent = z.infer<typeof sweepEvent>;

export const planEvent = z.object(attempt);
export type PlanEvent = z.infer<typeof planEvent>;

/** The units of publishing, how many of them may run at once, and the one that comes after all others. */
export interface Plan {
  readonly width: number;
  /** Unit numbers from 0. */
  readonly units: readonly number[];
  /** The number of the unit that says what became of the run. */
  readonly ledger: number;
}

export const publishEvent = z.object({ ...attempt, unit: z.number().int().nonnegative() });
export type PublishEvent = z.infer<typeof publishEvent>;

export const commitEvent = z.object(attempt);
export type CommitEvent = z.infer<typeof commitEvent>;

export const RUN_STATUSES = ['complete', 'partial', 'failed'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export interface Committed {
  readonly status: RunStatus;
}

/** What can be asked first, for what it would change. */
const previewed = [
  z.object({ command: z.literal('rebuild'), from: z.string() }),
  z.object({ command: z.literal('rollback'), runId: z.string() }),
  z.object({ command: z.literal('purge'), source: z.string() }),
] as const;
const previewedOperation = z.discriminatedUnion('command', previewed);
export type PreviewedOperation = z.infer<typeof previewedOperation>;

/** What an operator asks of the deployed lake. */
const operation = z.discriminatedUnion('command', [
  z.object({ command: z.literal('repair'), runId: z.string().optional() }),
  ...previewed,
  z.object({ command: z.literal('preview'), of: previewedOperation }),
  z.object({
    command: z.literal('apply'),
    table: z.enum(RESOURCE_NAMES),
    column: z.string(),
    type: z.enum(COLUMN_TYPES),
    acceptLoss: z.boolean().exactOptional(),
    /** True: only says what it would do. */
    preview: z.boolean().exactOptional(),
  }),
  z.object({ command: z.literal('new-mask-key'), acceptLoss: z.boolean() }),
  z.object({ command: z.literal('sync') }),
  /** A scheduled run that waits until another command has ended. */
  z.object({ command: z.literal('start'), scheduledTime: z.iso.datetime({ offset: true }) }),
]);
export type Operation = z.infer<typeof operation>;

/** The operation, and the execution of infra/operate.asl.json that does it. */
export const operateEvent = z.object({ operation, execution: z.string() });
export type OperateEvent = z.infer<typeof operateEvent>;

const extent = z.object({ files: z.number(), rows: z.number(), bytes: z.number() });
/** Files, with their rows and bytes. */
export type Extent = Readonly<z.infer<typeof extent>>;

/** What a rebuild, rollback or purge would change. */
const operationPreview = z.object({
  /** Runs that are made again. */
  runs: z.number(),
  /** Files of tables that are written again, as they are now. */
  rewritten: extent,
  /** What leaves the tables: whole files, or rows within those that are written again (bytes by their share). */
  removed: extent,
  /** What comes back into the tables. */
  restored: extent,
  /** Raw answers that are read by a rebuild, removed by a purge. */
  raw: z.object({ files: z.number(), bytes: z.number() }),
});
export type OperationPreview = Readonly<z.infer<typeof operationPreview>>;

/** What another type makes of a column's cells, counted over all kept days. */
const typePreview = z.object({
  days: z.number(),
  /** The files of these days, as they are now. */
  rewritten: extent,
  /** Cells that say the same text. */
  kept: z.number(),
  /** Cells that say another. */
  changed: z.number(),
  /** Values that leave their cells; they stand in rejects. */
  emptied: z.number(),
  /** Values that come into their cells. */
  filled: z.number(),
});
export type TypePreview = Readonly<z.infer<typeof typePreview>>;

/** What a sync changed; all 0 where the catalog said what the head says. */
const catalogChanges = z.object({
  tables: z.number(),
  tablesRemoved: z.number(),
  partitions: z.number(),
  partitionsRemoved: z.number(),
});
export type CatalogChanges = Readonly<z.infer<typeof catalogChanges>>;

/** The run that is committed now; of a repair the execution that asks again, where anything is left to ask. */
export const operated = z.object({
  runId: z.string(),
  exportDate: z.string(),
  execution: z.string().exactOptional(),
  preview: typePreview.exactOptional(),
  changes: operationPreview.exactOptional(),
  catalog: catalogChanges.exactOptional(),
});
export type Operated = Readonly<z.infer<typeof operated>>;

export type ExecutionState = 'running' | 'ended' | 'missing';

/** The executions of the deployed state machine. */
export interface Executions {
  arnOf(name: string): string;
  stateOf(arn: string): Promise<ExecutionState>;
  /** Gives the ARN. The same name and input again give the same execution while it runs. */
  start(name: string, input: unknown): Promise<string>;
}
