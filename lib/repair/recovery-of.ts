import type { Config } from '../config/config.ts';
import { ExportError, UsageError } from '../errors.ts';
import { type Head, readHead, storedIn } from '../lake/head.ts';
import { joinHead, MonthLost } from '../lake/head-months.ts';
import type { StoredForm } from '../lake/head-shape.ts';
import { OBJECTS_AT_ONCE } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { listKeys } from '../lake/list-keys.ts';
import { isOfLake, readLakeId, refuseOtherLake } from '../lake/marker.ts';
import { missingFiles } from '../lake/missing-files.ts';
import { namedFiles } from '../lake/named-files.ts';
import { refuseOlderHead } from '../lake/newer-head.ts';
import { readStateCopy } from '../lake/state-copy.ts';
import { firstDamaged } from '../lake/sums/refuse-damaged.ts';
import { readSchema } from '../schema/schema.ts';
import { sideBySide } from '../side-by-side.ts';
import { shownInClear } from './shown-in-clear.ts';

/** What can be had of a lake whose state is lost, damaged or older than its tables. */
export interface Recovery {
  /** The newest head that is left whole: its own files, schema and dates can be read, and its newest files are as written. */
  readonly head: Head;
  /** The lake, in which lost objects of state are read from their copy. */
  readonly lake: Lake;
  /** Commits after that one, and why each cannot be had. */
  readonly notBack: readonly { readonly runId: string; readonly committedAt: string; readonly why: string }[];
  /** Files of earlier dates that are lost: the head names them all the same, and `status` says what they lack. */
  readonly missing: readonly string[];
  /** The highest attempt that anything in the lake is of. */
  readonly lastAttempt: number;
}

/**
 * What `recover` commits; undefined where the head is sound and the newest. Throws UsageError NOTHING_TO_RECOVER where no
 * head is left that can be built upon.
 */
export async function recoveryOf(lake: Lake, config: Config | undefined): Promise<Recovery | undefined> {
  if (await isSound(lake)) return undefined;
  const copy = await readStateCopy(lake);
  const whole = withCopy(lake, copy);
  const heads = await leftHeads(lake, copy[lakeKey('head')]);
  const notBack: Recovery['notBack'][number][] = [];
  for (const stored of heads) {
    const { runId, committedAt } = stored;
    const { head, why } = await usable(whole, { stored, config: stored === heads[0] ? undefined : config });
    if (head === undefined) {
      notBack.push({ runId, committedAt, why });
      continue;
    }
    const missing = await missingFiles(lake, namedFiles(head));
    return { head, lake: whole, notBack, missing, lastAttempt: await lastAttempt(lake, heads) };
  }
  throw nothingLeft(lake, notBack);
}

/** True where the head can be read, is the newest of this lake and has its schema: what files lack is not for `recover`. */
async function isSound(lake: Lake): Promise<boolean> {
  try {
    const stored = await readHead(lake);
    if (stored === undefined)
      throw new UsageError(`${lake.name} has no tables yet: export with \`run\` first.`, 'LAKE_EMPTY');
    await refuseOtherLake(lake, stored.head);
    await refuseOlderHead(lake, stored);
    await readSchema(lake, stored.head.schema);
    const isSummed = (await lake.read(lakeKey('summary', stored.head))) !== undefined;
    return isSummed;
  } catch (error) {
    if (error instanceof ExportError && LOST.includes(error.code)) return false;
    throw error;
  }
}

const LOST = ['STATE_LOST', 'HEAD_MISSING', 'HEAD_CORRUPT', 'HEAD_OLDER', 'LAKE_MIXED', 'SCHEMA_CORRUPT'];

/** What a head needs never changes under its key, so the copy of it is as good, and better where the object is damaged. */
function withCopy(lake: Lake, copy: Readonly<Record<string, string>>): Lake {
  return {
    ...lake,
    read: async (key) => {
      const text = key === lakeKey('head') ? undefined : copy[key];
      return text === undefined ? await lake.read(key) : { bytes: Buffer.from(text), etag: '' };
    },
  };
}

/** Every head of this lake that can be read, the newest first. */
async function leftHeads(lake: Lake, copy: string | undefined): Promise<readonly StoredForm[]> {
  const keys = [lakeKey('head'), lakeKey('nextHead')];
  for await (const { key } of listKeys(lake, 'runHead')) keys.push(key);
  const objects = await sideBySide(keys, OBJECTS_AT_ONCE, (key) => lake.read(key));
  const id = await readLakeId(lake);
  const found = [...objects.map((each) => each?.bytes), copy === undefined ? copy : Buffer.from(copy)]
    .flatMap((bytes) => (bytes && storedIn(bytes)) ?? [])
    .filter((stored) => isOfLake(stored, id))
    .toSorted((a, b) => b.attempt - a.attempt || b.committedAt.localeCompare(a.committedAt));
  return [...new Map(found.map((each) => [`${each.runId} ${each.attempt}`, each])).values()];
}

/** The head, if a run can be built upon it and it shows nothing that the config hides. */
async function usable(
  lake: Lake,
  { stored, config }: { readonly stored: StoredForm; readonly config: Config | undefined },
): Promise<{ readonly head?: Head; readonly why: string }> {
  try {
    const head = await joinHead(lake, stored);
    const shown = await shownInClear(lake, { head, config });
    if (shown.length > 0) return { why: `it shows ${shown.join(', ')}, which the config hides` };
    const newest = Object.entries(head.tables).map(([table, files]) => ({ table, ...files.newest }));
    const [missing] = await missingFiles(lake, newest);
    if (missing !== undefined) return { why: `${missing} is missing` };
    const damaged = await firstDamaged(lake, newest);
    return damaged === undefined ? { head, why: '' } : { why: `${damaged.path} is damaged` };
  } catch (error) {
    if (error instanceof MonthLost || (error instanceof ExportError && error.code === 'SCHEMA_CORRUPT'))
      return { why: error.message };
    throw error;
  }
}

async function lastAttempt(lake: Lake, heads: readonly StoredForm[]): Promise<number> {
  let last = Math.max(0, ...heads.map(({ attempt }) => attempt));
  for await (const { attempt } of listKeys(lake, 'table')) last = Math.max(last, attempt);
  return last;
}

function nothingLeft(lake: Lake, notBack: Recovery['notBack']): UsageError {
  const why =
    notBack.length === 0
      ? 'no copy of a head is left'
      : `no head is left whole (${notBack.map(({ runId, why }) => `run ${runId}: ${why}`).join('; ')})`;
  return new UsageError(
    `Nothing can be recovered in ${lake.name}: ${why}. Put state/ and copies/ back from a copy of the lake; on S3, earlier versions may be there for a day. To begin anew, move raw/, tables/, state/ and copies/ away: the moved Parquet files can still be read one by one, and the next run begins a new history.`,
    'NOTHING_TO_RECOVER',
  );
}
