import * as z from 'zod';
import { COLUMN_TYPES } from '../column-types.ts';
import type { AttemptName } from '../run-id.ts';
import { FILE_SUM } from './sums/file-sum.ts';

const DATE = /^\d{4}-\d\d-\d\d$/;
const ATTEMPT_NAME = /^\d{8}T\d{6}Z\.\d+$/;

const date = z.string().regex(DATE);
const runId = z.string().regex(/^\d{8}T\d{6}Z$/);

/** The files of one table and date. */
export interface TableFiles {
  /** The attempt that wrote them. */
  readonly run: AttemptName;
  /** The numbers of its files. */
  readonly parts: readonly number[];
  /** The size and SHA-256 of each file, as from `fileSum`; heads of earlier versions lack them. */
  readonly sums?: readonly string[];
}

type Dates = Readonly<Record<string, TableFiles>>;

/** TableFiles are checked by hand: for years of days zod takes longer than the rest of a commit. */
const tableHead = z.strictObject({
  /** What the table without `_daily` shows. */
  newest: z.custom<TableFiles & { readonly date: string }>(isNewest, 'these are not the files of a date'),
  dates: z.custom<Dates>(areDates, 'these are not the files of dates'),
});

function isNewest(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('date' in value)) return false;
  const { date: day, ...of } = value;
  return areDates({ [String(day)]: of });
}

function areDates(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).every(([day, of]) => DATE.test(day) && areFiles(of));
}

function areFiles(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { run, parts, sums, ...others } = value as Partial<TableFiles>;
  const arePresent = typeof run === 'string' && Array.isArray(parts) && Object.keys(others).length === 0;
  return (
    arePresent &&
    ATTEMPT_NAME.test(run) &&
    parts.every((part) => Number.isInteger(part) && part >= 0) &&
    (sums === undefined || (Array.isArray(sums) && areSums(sums, parts.length)))
  );
}

function areSums(sums: readonly unknown[], count: number): boolean {
  return sums.length === count && sums.every((sum) => typeof sum === 'string' && FILE_SUM.test(sum));
}

/** The part of a head that is the same in memory and in the lake. */
const common = {
  /** The id of the lake in which it was committed; heads of earlier versions lack it. */
  lake: z.string().optional(),
  /** The run that made this commit. */
  runId,
  attempt: z.number().int().positive(),
  scheduledAt: z.iso.datetime(),
  committedAt: z.iso.datetime(),
  exportDate: date,
  status: z.enum(['complete', 'partial', 'failed']),
  /** The key of the tables' schema. */
  schema: z.string(),
  tables: z.record(z.string(), tableHead),
  /** How each source's resources were read, by source and resource; lib/list knows the shape. */
  dialects: z.record(z.string(), z.unknown()),
  /** The run of the head that this one replaced. */
  previous: runId.nullable(),
  /** That head's key if it was never committed: a rebuild makes several heads and commits the last. */
  base: z.string().optional(),
  sources: z.array(z.string()),
  /** `recover` reported that runs up to this later one have raw answers but no head. */
  toldRun: runId.optional(),
  /** Types from the operator's `schema apply`, by TABLE.COLUMN; every commit keeps them. */
  types: z.record(z.string(), z.enum(COLUMN_TYPES)).optional(),
};

const gone = { date, run: z.string().regex(ATTEMPT_NAME), at: z.iso.datetime() };

const inMemory = z.object({
  ...common,
  /** Files that no table names any more; they are removed a day after `at`. null = those of every table. */
  released: z.array(z.strictObject({ table: z.string().nullable(), ...gone })),
});

/** The committed state: the files of every table. Readers see nothing else, so it is replaced whole. */
export type Head = Readonly<z.infer<typeof inMemory>>;
export type TableHead = Readonly<z.infer<typeof tableHead>>;

/** The version of new heads. */
export const NEWEST_VERSION = 3;

/** The content of `state/head.json` and its copies. */
export const storedHeadShape = z.strictObject({
  /** 3: files have sums. A program of version 2 would call them damaged. */
  version: z.literal([2, NEWEST_VERSION]),
  ...common,
  /** The hash of each month's file of dates (`state/months/MONTH/HASH.json`); `tables` has later dates. */
  months: z.record(z.string().regex(/^\d{4}-\d\d$/), z.string()),
  /** TableFiles of months that no head has named since `at`; they are removed a day later. */
  releasedMonths: z.array(z.strictObject({ month: z.string(), hash: z.string(), at: z.iso.datetime() })),
  /** One entry has all tables of an attempt and date: a day of 15-minute runs releases a thousand. */
  released: z.array(z.strictObject({ tables: z.array(z.string()).nullable(), ...gone })),
});

export type StoredForm = z.infer<typeof storedHeadShape>;

/** The dates of a month, by table. */
export const monthShape = z.record(z.string(), tableHead.shape.dates);
export type Month = Readonly<z.infer<typeof monthShape>>;
