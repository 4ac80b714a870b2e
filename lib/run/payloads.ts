import * as z from 'zod';
import { COLUMN_TYPES } from '../column-types.ts';
import { removedRecord } from '../schema/removed.ts';
import { RESOURCE_NAMES } from '../sources/resources.ts';

/**
 * What the states of infra/export.asl.json pass to each other. A payload has only numbers and names, because
 * AWS allows 262,144 bytes. All else is in raw and below state/runs.
 */
const attempt = { runId: z.string(), attempt: z.number().int().positive() };

/** The wishes of a start; empty = every source, scheduled now. */
export const startEvent = z.object({
  scheduledTime: z.iso.datetime({ offset: true }).optional(),
  /** True where the machine's own clock set the time: neither a person nor the Scheduler of AWS named it. */
  isByOwnClock: z.boolean().optional(),
  sources: z.array(z.string()).optional(),
  acceptShrink: z.array(z.string()).optional(),
  /** Sources that have left the config on purpose. */
  acceptSourceRemoval: z.array(z.string()).optional(),
});
export type StartEvent = z.infer<typeof startEvent>;

/** The input of an execution. The state machine itself reads it: a list for each source, then the others. */
export interface ExecutionInput {
  readonly runId: string;
  readonly attempt: number;
  readonly sources: readonly string[];
}

export const listEvent = z.object({ ...attempt, source: z.string() });
export type ListEvent = z.infer<typeof listEvent>;

/** Lets the function of list check whether the named source answers from there. */
export const smokeEvent = z.strictObject({ smoke: z.string() });

/** The batches of a pass over a source, and how many of them may run at once. */
export interface Work {
  readonly pass: number;
  readonly width: number;
  /** Batch numbers from 0. */
  readonly batches: readonly number[];
  /** The wait in seconds that the server wants before the next call. */
  readonly waitSeconds: number;
}

/** What list passes on. */
export interface ListWork extends Work {
  /** True where a listing is due again after the wait; the batches come after it. */
  readonly again: boolean;
  /** The batches of the first call of collect. */
  readonly now: readonly number[];
  /** The batches after those. */
  readonly rest: readonly number[];
  /** True where the flow goes on after the first call. */
  readonly more: boolean;
}

export const collectEvent = z.object({
  ...attempt,
  source: z.string(),
  pass: z.number().int().nonnegative(),
  width: z.number().int().positive(),
  batches: z.array(z.number().int().nonnegative()),
  /** True for a first call after which the flow goes on. */
  more: z.boolean().exactOptional(),
});
export type CollectEvent = z.infer<typeof collectEvent>;

/** 0: every item of the batches has its outcome. 1: some may be tried again. */
export type Left = 0 | 1;

/** What collect passes on. 2: nothing of its own batches is left, and the flow goes on. */
export interface Collected {
  readonly left: Left | 2;
}

export const sweepEvent = z.object({ ...attempt, source: z.string(), pass: z.number().int().nonnegative() });
export type SweepEvent = z.infer<typeof sweepEvent>;

export const planEvent = z.object(attempt);

/** The units of publishing, how many of them may run at once, and the final one. */
export interface Plan {
  readonly width: number;
  /** Unit numbers from 0. */
  readonly units: readonly number[];
  /** The number of the unit with the run's result. */
  readonly ledger: number;
}

export const publishEvent = z.object({ ...attempt, unit: z.number().int().nonnegative() });

export const commitEvent = z.object(attempt);

export const RUN_STATUSES = ['complete', 'partial', 'failed'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export interface Committed {
  readonly status: RunStatus;
}

/** Commands with a preview of their changes. */
const previewed = [
  z.object({ command: z.literal('rebuild'), from: z.string() }),
  z.object({ command: z.literal('rollback'), runId: z.string() }),
  z.object({ command: z.literal('purge'), source: z.string() }),
  /** Without a source: of the only one that has such a record. */
  z.object({ command: z.literal('purge-record'), record: removedRecord, source: z.string().exactOptional() }),
  z.object({
    command: z.literal('apply'),
    table: z.enum(RESOURCE_NAMES),
    column: z.string(),
    type: z.enum(COLUMN_TYPES),
    acceptLoss: z.boolean().exactOptional(),
  }),
] as const;
const previewedOperation = z.discriminatedUnion('command', previewed);
export type PreviewedOperation = z.infer<typeof previewedOperation>;

/** An operator's command on the deployed lake. */
const operation = z.discriminatedUnion('command', [
  z.object({ command: z.literal('repair'), runId: z.string().optional() }),
  ...previewed,
  z.object({ command: z.literal('preview'), of: previewedOperation }),
  z.object({ command: z.literal('new-mask-key'), acceptLoss: z.boolean() }),
  /** To the head that its caller was shown. */
  z.object({ command: z.literal('recover'), ...attempt, lastAttempt: z.number().int() }),
  z.object({ command: z.literal('sync') }),
  /** A run that waits until another command has ended, or a source has its new name. */
  startEvent.extend({ command: z.literal('start'), scheduledTime: z.iso.datetime({ offset: true }) }),
]);
export type Operation = z.infer<typeof operation>;

/** The operation, and the execution of infra/operate.asl.json that does it. */
export const operateEvent = z.object({ operation, execution: z.string() });
export type OperateEvent = z.infer<typeof operateEvent>;

const extent = z.object({ files: z.number(), rows: z.number(), bytes: z.number() });
/** Files, with their rows and bytes. */
export type Extent = Readonly<z.infer<typeof extent>>;

/** What a rebuild, rollback, purge or another type would change. */
const operationPreview = z.object({
  /** The number of runs that are made again. */
  runs: z.number(),
  /** Files of tables that are written again, as they are now. */
  rewritten: extent,
  /** What leaves the tables: whole files, or a share of the files that are written again. */
  removed: extent,
  /** What comes back into the tables. */
  restored: extent,
  /** Raw answers that a rebuild reads or a purge removes. */
  raw: z.object({ files: z.number(), bytes: z.number() }),
  /** Where a purged record is: its source, and its rows by table. */
  record: z
    .object({
      source: z.string(),
      tables: z.array(z.object({ table: z.string(), rows: z.number(), dates: z.array(z.string()) })),
    })
    .exactOptional(),
  /** What another type makes of a column's cells, counted over all kept days. */
  cells: z
    .object({
      days: z.number(),
      /** Cells with the same text. */
      kept: z.number(),
      /** Cells with another text. */
      changed: z.number(),
      /** Values that leave their cells and go to rejects. */
      emptied: z.number(),
      /** Values that come into their cells. */
      filled: z.number(),
    })
    .exactOptional(),
});
export type OperationPreview = Readonly<z.infer<typeof operationPreview>>;

/** What a sync changed; all 0 where the catalog already agreed with the head. */
const catalogChanges = z.object({
  tables: z.number(),
  tablesRemoved: z.number(),
  partitions: z.number(),
  partitionsRemoved: z.number(),
});
export type CatalogChanges = Readonly<z.infer<typeof catalogChanges>>;

/** The committed run. After a repair with items left, also the execution that requests them. */
export const operated = z.object({
  runId: z.string(),
  exportDate: z.string(),
  execution: z.string().exactOptional(),
  changes: operationPreview.exactOptional(),
  catalog: catalogChanges.exactOptional(),
});
export type Operated = Readonly<z.infer<typeof operated>>;

export type ExecutionState = 'running' | 'ended' | 'missing';

/** The executions of the deployed state machine. */
export interface Executions {
  arnOf(name: string): string;
  stateOf(arn: string): Promise<ExecutionState>;
  /** Returns the ARN. The same name and input return the same execution while it runs. */
  start(name: string, input: unknown): Promise<string>;
}
