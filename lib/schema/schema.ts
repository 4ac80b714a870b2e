import * as z from 'zod';
import { COLUMN_TYPES, type ColumnType } from '../column-types.ts';
import { ExportError } from '../errors.ts';
import type { Lake } from '../lake/lake.ts';
import { type AttemptName, parseAttemptName } from '../run-id.ts';
import { questionForm } from '../sources/question.ts';
import type { RelationColumn } from '../sql.ts';
import { readingForm } from './cells/formats.ts';
import { rejectsForm } from './columns/column-fit.ts';
import { filledShape } from './columns/filled.ts';
import { changedShape, sampledShape } from './columns/sampled.ts';
import { recordKey } from './record-key.ts';
import { type FixedColumn, TABLES, tableForm } from './tables.ts';

const path = z.array(z.string());

const questions = z.array(questionForm).readonly();

const column = z.object({
  name: z.string(),
  type: z.enum(COLUMN_TYPES),
  /** True while no value was seen. Such a column is in no file, and its first value decides its type. */
  provisional: z.boolean(),
  /** The paths of each source. */
  paths: z.array(
    z.object({
      source: z.string(),
      path,
      /** The column's name without `as`, if that is different. */
      plainName: z.string().exactOptional(),
      /** The runs that saw it first and last; without them those of the column, as an earlier version noted. */
      firstSeen: z.string().exactOptional(),
      lastSeen: z.string().exactOptional(),
      /** The config leaves its values out. */
      isDropped: z.boolean(),
      /** The share of the source's records without a value, in the last run with any record. */
      nullShare: z.number(),
      /** From the last run with any record; an earlier version of the program noted none. */
      filled: filledShape.exactOptional(),
      /** The first two dates on which it was `""`. */
      emptyOn: z.array(z.string()).readonly().exactOptional(),
      /** Its values have another meaning than before. */
      changed: changedShape.exactOptional(),
    }),
  ),
  /** How each source's values are read. */
  readings: z.record(z.string(), readingForm),
  /** Sources with an HMAC in the place of their values. */
  masked: z.array(z.string()),
  /** If some are masked: the type of the values before the mask. The column itself is text. */
  plainType: z.enum(COLUMN_TYPES).exactOptional(),
  firstSeen: z.string(),
  lastSeen: z.string(),
  /** The first run with files that have it; null while provisional. */
  since: z.string().nullable(),
  questions,
  /** Values of this run that lack the type which earlier runs decided. */
  drift: questions,
  /** By source: how many values of this run are not in their cells as they are, by reason. */
  rejects: z.record(z.string(), rejectsForm),
});

const table = z.object({
  columns: z.array(column),
  /** What identifies a source's records. */
  keys: z.record(z.string(), recordKey),
  /**
   * Objects that are taken apart. If a record has another value than an object there, that value has a column
   * of its own.
   */
  flattened: z.array(path),
  /** Objects that stay as JSON text, because their keys are data. */
  unflattened: z.array(path),
  /** What only the operator can decide, except what columns ask. */
  questions,
  /** By source: some records of the last run with any. The next run compares its own with them. */
  samples: z.record(z.string(), sampledShape).exactOptional(),
});

/** When the places of a group are open, on some days of the week. */
const openingHours = z.object({
  /** A value of one of the config's groups; `*` = every player without another line. */
  group: z.string(),
  /** Digits from 1, Monday, to 7. */
  weekdays: z.string(),
  /** Minutes after midnight, by the clocks of the zone. */
  opens: z.number(),
  /** The same; beyond 1440 it is open past midnight. */
  closes: z.number(),
  /** IANA zone. */
  zone: z.string(),
  /** The first and the last day on which it opens, YYYY-MM-DD. @default every day */
  since: z.string().optional(),
  until: z.string().optional(),
});
export type OpeningHours = Readonly<z.infer<typeof openingHours>>;

const schema = z.object({
  version: z.literal(1),
  tables: z.record(z.string(), table),
  /** By TABLE.COLUMN: the first run with a fixed column that earlier versions did not write. */
  later: z.record(z.string(), z.string()).exactOptional(),
  /** What the config says about players, for the views: fields or columns that group them, and opening hours. */
  groups: z.array(z.string()),
  hours: z.array(openingHours),
  /** The config's zone: its clocks decide where the views cut days. */
  timeZone: z.string().exactOptional(),
  /** By a value of a group, alone or as `city=Hof`, or by `*`: the wanted share of hours with its screens on. */
  targets: z.record(z.string(), z.number()).exactOptional(),
  /** Id of the key that makes masks. It stays when nothing is masked any more, because `changes` have some. */
  maskKey: z.string().exactOptional(),
});

/**
 * What is known about the API's columns. A schema never changes: every attempt writes a new one, and a head
 * names one of them.
 */
export type Schema = Readonly<z.infer<typeof schema>>;
export type TableSchema = Readonly<z.infer<typeof table>>;
export type SchemaColumn = Readonly<z.infer<typeof column>>;

export const EMPTY_SCHEMA: Schema = { version: 1, tables: {}, groups: [], hours: [] };

/** The schemas that were read last. Each unit of a run reads the same two, and to check one takes 5 ms. */
let last: readonly { readonly bytes: Buffer; readonly read: Schema }[] = [];

/** The schema under the key. Throws SCHEMA_CORRUPT. */
export async function readSchema(lake: Lake, schemaKey: string): Promise<Schema> {
  const stored = await lake.read(schemaKey);
  try {
    const bytes = stored?.bytes ?? Buffer.of();
    const known = last.find((each) => each.bytes.equals(bytes));
    const read = known?.read ?? schema.parse(JSON.parse(bytes.toString('utf8')));
    if (known === undefined) last = [{ bytes, read }, ...last.slice(0, 1)];
    return read;
  } catch (cause) {
    throw new ExportError({
      code: 'SCHEMA_CORRUPT',
      message: `${lake.name}/${schemaKey} is ${stored === undefined ? 'missing' : 'damaged'}: let \`recover\` bring it back, or take an earlier commit with \`rollback RUN_ID\`.`,
      cause,
    });
  }
}

/** The type of a column's values, before some sources' values are masked. */
export function valueType({ type, plainType }: Pick<SchemaColumn, 'type' | 'plainType'>): ColumnType {
  return plainType ?? type;
}

/** Writes a schema on one line: every kept run has its own. */
export async function writeSchema(lake: Lake, schemaKey: string, current: Schema): Promise<void> {
  await lake.write(schemaKey, Buffer.from(`${JSON.stringify(current)}\n`));
}

/** The names of the columns in a table's files of an attempt, `RUN_ID.A`. */
export function columnsInFiles(current: Schema, name: string, attempt: AttemptName): ReadonlySet<string> {
  const own = current.tables[name]?.columns.filter((column) => isInFiles(column, attempt)) ?? [];
  const fixed = tableForm(name).columns.filter((column) =>
    isFixedInFiles(current, { table: name, column }, attempt),
  );
  return new Set([...fixed, ...own].map((column) => column.name));
}

/** True if the files of an attempt have the column: they have it since the run that saw its first value. */
export function isInFiles({ since }: SchemaColumn, attempt: AttemptName): boolean {
  return since !== null && since <= parseAttemptName(attempt).runId;
}

/** True if the files of an attempt have a table's fixed column. */
function isFixedInFiles(
  { later }: Schema,
  { table, column: { name, isLater } }: { readonly table: string; readonly column: FixedColumn },
  attempt: AttemptName,
): boolean {
  const since = later?.[`${table}.${name}`];
  return isLater !== true || (since !== undefined && since <= parseAttemptName(attempt).runId);
}

/** The first run with each fixed column that earlier versions did not write, if this run writes it. */
export function laterSince({ later }: Schema, runId: string): NonNullable<Schema['later']> {
  const names = TABLES.flatMap(({ name: table, columns }) =>
    columns.flatMap(({ name, isLater }) => (isLater === true ? [`${table}.${name}`] : [])),
  );
  return Object.fromEntries(names.map((name) => [name, later?.[name] ?? runId]));
}

/** The columns in a table's present files: the fixed ones, then those of the API that have a type. */
export function fileColumns(current: Schema, name: string): readonly RelationColumn[] {
  const own = current.tables[name]?.columns.filter(({ provisional }) => !provisional) ?? [];
  return [...tableForm(name).columns, ...own].map((each) => ({ name: each.name, type: each.type }));
}
