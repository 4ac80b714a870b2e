import type { Config } from '../config/config.ts';
import { hasCode, instead, UsageError } from '../errors.ts';
import { committedHead, type Head, readHead, storedIn } from '../lake/head.ts';
import { joinHead, MonthLost } from '../lake/head-months.ts';
import type { StoredForm } from '../lake/head-shape.ts';
import { OBJECTS_AT_ONCE } from '../lake/json-object.ts';
import { lakeKey, lakePrefix, listKeys } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { isOfLake, readLakeId, refuseOtherLake } from '../lake/marker.ts';
import { missingFiles, namedFiles } from '../lake/named-files.ts';
import { rawBehind, refuseOlderHead } from '../lake/newer-head.ts';
import { readStateCopy } from '../lake/state-copy.ts';
import { firstDamaged } from '../lake/sums/refuse-damaged.ts';
import type { RunId } from '../run-id.ts';
import { readSchema } from '../schema/schema.ts';
import { sideBySide } from '../side-by-side.ts';
import { shownInClear } from './shown-in-clear.ts';

export type Recovery = NonNullable<Awaited<ReturnType<typeof recoveryOf>>>;

/**
 * What `recover` commits; undefined if the head is whole and the newest. Throws UsageError NOTHING_TO_RECOVER
 * if no head is left that a run can be based on.
 */
export async function recoveryOf(lake: Lake, config: Config | undefined) {
  if (await isSound(lake)) return undefined;
  const copy = await readStateCopy(lake);
  const whole = withCopy(lake, copy);
  const heads = await leftHeads(lake, copy[lakeKey('head')]);
  const notBack: { readonly runId: string; readonly why: string }[] = [];
  let target: Head | undefined;
  for (const stored of heads) {
    const { runId } = stored;
    const found = await readable(whole, { stored, config: stored === heads[0] ? undefined : config });
    const why = found.head === undefined ? found.why : await faultOfNewest(whole, found.head);
    if (why === undefined) target = found.head;
    if (target !== undefined) break;
    notBack.push({ runId, why: why ?? '' });
  }
  if (target === undefined) throw nothingLeft(lake, notBack);
  const head = target;
  const missing = await missingFiles(lake, namedFiles(head));
  const texts = [JSON.stringify(heads), ...Object.values(copy)];
  const { lastAttempt, told } = await tracesIn(lake, { texts, behind: head.runId });
  for (const { runId } of heads) told.delete(runId);
  for (const runId of told) notBack.push({ runId, why: 'no head of this run is left' });
  const kept: string[] = [];
  for await (const { runId } of rawBehind(lake, head.runId)) kept.push(runId);
  const later = new Map(notBack.toReversed().map((each) => [each.runId, each]));
  return {
    /**
     * The newest head that a run can be based on: its schema is readable, and its newest files are as they were
     * written.
     */
    head,
    /** The lake, with lost objects of state read from their copy. */
    lake: whole,
    /** Later commits, and why each cannot be restored. */
    notBack: [...later.values()].filter(({ runId }) => runId > head.runId),
    /** Later runs with raw answers: a start at its time continues each of them. */
    kept,
    /** Lost files of earlier dates: the head still names them, and `status` says what they lack. */
    missing,
    /** The highest attempt of anything in the lake. */
    lastAttempt: Math.max(lastAttempt, ...heads.map(({ attempt }) => attempt)),
  };
}

/** True if the head is readable, the newest of this lake, and has its schema. Missing files are not for `recover`. */
async function isSound(lake: Lake): Promise<boolean> {
  try {
    // A start is refused next to a copy of the state, so its cure is found here.
    const isCopied = (await lake.read(lakeKey('stateCopy'))) !== undefined;
    if (isCopied && (await readHead(lake)) === undefined) return false;
    const stored = await committedHead(lake);
    await refuseOtherLake(lake, stored.head);
    await refuseOlderHead(lake, stored);
    await readSchema(lake, stored.head.schema);
    const isSummed = (await lake.read(lakeKey('summary', stored.head))) !== undefined;
    return isSummed;
  } catch (error) {
    return instead(hasCode(...LOST), false)(error);
  }
}

const LOST = ['STATE_LOST', 'HEAD_MISSING', 'HEAD_CORRUPT', 'HEAD_OLDER', 'LAKE_MIXED', 'SCHEMA_CORRUPT'];

/** What a head needs never changes under its key. So its copy is as good, and better if the object is damaged. */
function withCopy(lake: Lake, copy: Readonly<Record<string, string>>): Lake {
  return {
    ...lake,
    read: async (key) => {
      const text = key === lakeKey('head') ? undefined : copy[key];
      return text === undefined ? await lake.read(key) : { bytes: Buffer.from(text), etag: '' };
    },
  };
}

/** Every readable head of this lake, the newest first. */
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

/** The head with all its dates, if its schema is there and it shows nothing that the config hides. */
async function readable(
  lake: Lake,
  { stored, config }: { readonly stored: StoredForm; readonly config: Config | undefined },
): Promise<{ readonly head?: Head; readonly why: string }> {
  try {
    const head = await joinHead(lake, stored);
    const shown = await shownInClear(lake, { head, config });
    return shown.length === 0
      ? { head, why: '' }
      : { why: `it shows ${shown.join(', ')}, which the config hides` };
  } catch (error) {
    if (error instanceof MonthLost || hasCode('SCHEMA_CORRUPT')(error)) return { why: error.message };
    throw error;
  }
}

/** Why no run can be based on the head: one of its newest files is not as it was written. */
async function faultOfNewest(lake: Lake, { tables }: Head): Promise<string | undefined> {
  const newest = Object.entries(tables).map(([table, files]) => ({ table, ...files.newest }));
  const [missing] = await missingFiles(lake, newest);
  if (missing !== undefined) return `${missing} is missing`;
  const damaged = await firstDamaged(lake, newest);
  return damaged && `${damaged.path} is damaged`;
}

/** The highest attempt in the tables, and each run that these texts, a table, a month or later state tells of. */
async function tracesIn(
  lake: Lake,
  { texts, behind }: { readonly texts: readonly string[]; readonly behind: RunId },
) {
  let lastAttempt = 0;
  const found = [...texts];
  for await (const { key, attempt } of listKeys(lake, 'table')) {
    lastAttempt = Math.max(lastAttempt, attempt);
    found.push(key);
  }
  for await (const { key } of listKeys(lake, 'month')) found.push(String((await lake.read(key))?.bytes));
  const after = lakePrefix('runConfig', { runId: behind });
  for await (const { key } of lake.list(lakePrefix('runConfig', {}), after)) found.push(key);
  return { lastAttempt, told: new Set(found.join().match(/\d{8}T\d{6}Z/g)) };
}

function nothingLeft(
  lake: Lake,
  notBack: readonly { readonly runId: string; readonly why: string }[],
): UsageError {
  const why =
    notBack.length === 0
      ? 'no copy of a head is left'
      : `no head is left whole (${notBack.map(({ runId, why }) => `run ${runId}: ${why}`).join('; ')})`;
  return new UsageError(
    `Nothing can be recovered in ${lake.name}: ${why}. Put state/ and state-copy/ back from a copy of the lake; S3 keeps replaced versions for a day. Or make the tables again from the raw answers: move tables/, state/ and state-copy/ away, and start the oldest run in raw/ with \`run --run-time\`; then \`recover\` names the later runs. Or begin a new history: move raw/ away too, and start \`run\`. The moved Parquet files can still be read one by one.`,
    'NOTHING_TO_RECOVER',
  );
}
