import * as z from 'zod';
import { COLUMN_TYPES } from '../column-types.ts';
import { ExportError } from '../errors.ts';
import type { AttemptName, RunId } from '../run-id.ts';
import { lakeKey } from './keys.ts';
import { ConditionFailed, type Lake } from './lake.ts';
import { listKeys } from './list-keys.ts';

const DATE = /^\d{4}-\d\d-\d\d$/;
const ATTEMPT_NAME = /^\d{8}T\d{6}Z\.\d+$/;

const date = z.string().regex(DATE);
const runId = z.string().regex(/^\d{8}T\d{6}Z$/);
/** The files of one table and date. */
export interface TableFiles {
  /** The attempt that wrote them. */
  readonly run: AttemptName;
  /** Numbers of the files in it. */
  readonly parts: readonly number[];
}

/** Checked by hand: with years of days, zod would take longer than the rest of a commit. */
const tableHead = z.strictObject({
  /** What the table without `_daily` shows. */
  newest: z.custom<TableFiles & { readonly date: string }>(isNewest, 'these are not the files of a date'),
  dates: z.custom<Readonly<Record<string, TableFiles>>>(areDates, 'these are not the files of dates'),
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
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return false;
  const { run, parts } = value as Partial<TableFiles>;
  const arePresent = typeof run === 'string' && Array.isArray(parts);
  return arePresent && ATTEMPT_NAME.test(run) && parts.every((part) => Number.isInteger(part) && part >= 0);
}

const headShape = z.strictObject({
  version: z.literal(1),
  /** The run whose commit this is. */
  runId,
  attempt: z.number().int().positive(),
  scheduledAt: z.iso.datetime(),
  committedAt: z.iso.datetime(),
  exportDate: date,
  status: z.enum(['complete', 'partial', 'failed']),
  /** Key of the schema that the tables have. */
  schema: z.string(),
  tables: z.record(z.string(), tableHead),
  /** How each source's resources were read, by source and resource; lib/list knows what is in it. */
  dialects: z.record(z.string(), z.unknown()),
  /** The run whose head this one replaced. */
  previous: runId.nullable(),
  /** Key of that head where it never was the committed one: a rebuild makes several and commits the last. */
  base: z.string().optional(),
  sources: z.array(z.string()),
  /** Types that the operator gave columns with `schema apply`, by TABLE.COLUMN; every commit keeps them. */
  types: z.record(z.string(), z.enum(COLUMN_TYPES)).optional(),
  /** Files that no table names any more, to be removed a day after `at`; null = those of every table. */
  released: z.array(
    z.strictObject({
      table: z.string().nullable(),
      date,
      run: z.string().regex(ATTEMPT_NAME),
      at: z.iso.datetime(),
    }),
  ),
});

/** What is committed: the files that make up every table. The one mutable object of a lake, the lease aside. */
export type Head = Readonly<z.infer<typeof headShape>>;
export type TableHead = Readonly<z.infer<typeof tableHead>>;

export interface StoredHead {
  readonly head: Head;
  /** For `commitHead`. */
  readonly etag: string;
}

/** The committed head and its etag; undefined before the first commit. Throws HEAD_CORRUPT and HEAD_MISSING. */
export async function readHead(lake: Lake): Promise<StoredHead | undefined> {
  const key = lakeKey('head');
  const stored = await lake.read(key);
  if (stored === undefined) return await refuseLostHead(lake);
  const cure =
    'Put a copy of an earlier commit in its place: `rollback RUN_ID`, or copy state/runs/RUN_ID/head.json over it; the tables are unharmed.';
  return { head: parseHead(stored.bytes, `${lake.name}/${key}`, cure), etag: stored.etag };
}

/** A lake whose runs have committed had a head: to begin anew beside them would lose all that they made. */
async function refuseLostHead(lake: Lake): Promise<undefined> {
  let newest: RunId | undefined;
  for await (const { runId: each } of listKeys(lake, 'runHead', {})) newest = each;
  // Committed while the copies were listed: the first commit of a lake.
  if (newest === undefined || (await lake.read(lakeKey('head'))) !== undefined) return undefined;
  throw new ExportError({
    code: 'HEAD_MISSING',
    message: `${lake.name}/${lakeKey('head')} is gone, and runs of this lake have committed, the newest ${newest}. Put its copy back with \`rollback ${newest}\`; the tables are unharmed.`,
  });
}

/** The head that the newest commit of a run wrote; undefined if the run committed none. Throws HEAD_CORRUPT. */
export async function readRunHead(lake: Lake, id: RunId): Promise<Head | undefined> {
  return await readHeadAt(lake, lakeKey('runHead', { runId: id }));
}

/** The head that this one was built upon; undefined where it is gone, or there was none. Throws HEAD_CORRUPT. */
export async function readPreviousHead(lake: Lake, { previous, base }: Head): Promise<Head | undefined> {
  if (previous === null) return undefined;
  return await readHeadAt(lake, base ?? lakeKey('runHead', { runId: previous }));
}

/**
 * Makes the heads upon which a rebuild built the copies of their runs: a rollback finds what the rebuild made of them. One
 * that was cut off here is made good by the next commit.
 */
export async function keepRebuiltHeads(lake: Lake, head: Head): Promise<void> {
  for (let each: Head | undefined = head; each?.base !== undefined; ) {
    const stored = await lake.read(each.base);
    if (stored === undefined || each.previous === null) return;
    await lake.write(lakeKey('runHead', { runId: each.previous }), stored.bytes);
    each = headOrFault(stored.bytes).head;
  }
}

/** The head under the key; undefined where there is none. Throws HEAD_CORRUPT. */
export async function readHeadAt(lake: Lake, key: string): Promise<Head | undefined> {
  const stored = await lake.read(key);
  return stored && parseHead(stored.bytes, `${lake.name}/${key}`, 'Take that of another run.');
}

/**
 * Makes the head the committed one, if the committed one still has the etag (undefined: if there is none), keeps a
 * copy with its run for `rollback`, and gives the new etag. Throws COMMIT_FENCED where another commit came between.
 */
export async function commitHead(lake: Lake, head: Head, expectedEtag: string | undefined): Promise<string> {
  const bytes = Buffer.from(`${JSON.stringify(headShape.parse(head))}\n`);
  await keepCopyOfReplaced(lake);
  const etag = await replaceHead(lake, bytes, expectedEtag);
  await lake.write(lakeKey('runHead', { runId: head.runId }), bytes);
  return etag;
}

async function replaceHead(lake: Lake, bytes: Buffer, expectedEtag: string | undefined): Promise<string> {
  try {
    const condition = expectedEtag === undefined ? ({ absent: true } as const) : { match: expectedEtag };
    return await lake.write(lakeKey('head'), bytes, condition);
  } catch (cause) {
    if (!(cause instanceof ConditionFailed)) throw cause;
    // Where the answer to a put was lost, the SDK puts again, and finds its own head there.
    const stored = await lake.read(lakeKey('head'));
    if (stored?.bytes.equals(bytes)) return stored.etag;
    throw new ExportError({
      code: 'COMMIT_FENCED',
      message: `${lake.name}/${lakeKey('head')} was committed by another run in the meantime, so nothing of this one was published. Start a new run.`,
      cause,
    });
  }
}

/**
 * Keeps a copy of the head that is about to be replaced, where there is none: a process may have died after its commit
 * and before its copy.
 */
async function keepCopyOfReplaced(lake: Lake): Promise<void> {
  const stored = await lake.read(lakeKey('head'));
  const replaced = stored && headOrFault(stored.bytes).head;
  if (stored === undefined || replaced === undefined) return;
  const key = lakeKey('runHead', { runId: replaced.runId });
  const copy = await lake.read(key);
  if (copy?.bytes.equals(stored.bytes) !== true) await lake.write(key, stored.bytes);
  await keepRebuiltHeads(lake, replaced);
}

function parseHead(bytes: Buffer, file: string, cure: string): Head {
  const { head, fault } = headOrFault(bytes);
  if (head !== undefined) return head;
  throw new ExportError({
    code: 'HEAD_CORRUPT',
    message: `${file} is damaged: ${fault}. ${cure}`,
  });
}

/** The head that was read last. The stages of one process read the same head several times each. */
let latest: { readonly bytes: Buffer; readonly head: Head } | undefined;

function headOrFault(bytes: Buffer): { head?: Head; fault: string } {
  if (latest?.bytes.equals(bytes) === true) return { head: latest.head, fault: '' };
  try {
    const parsed = headShape.safeParse(JSON.parse(bytes.toString('utf8')));
    if (parsed.success) {
      latest = { bytes, head: parsed.data };
      return { head: parsed.data, fault: '' };
    }
    const [issue] = parsed.error.issues;
    return { fault: `${issue?.path.join('.') || 'it'}: ${issue?.message}` };
  } catch {
    return { fault: 'it is not JSON' };
  }
}
