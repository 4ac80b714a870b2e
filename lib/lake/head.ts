import { ExportError, UsageError } from '../errors.ts';
import type { RunId } from '../run-id.ts';
import { commitMonths, joinHead, MonthLost, splitHead, writeMonths } from './head-months.ts';
import { type Head, NEWEST_VERSION, type StoredForm, storedHeadShape } from './head-shape.ts';
import { firstKey, lakeKey } from './keys.ts';
import { ConditionFailed, type Lake } from './lake.ts';
import { isOfLake, readLakeId } from './marker.ts';
import { writeStateCopy } from './state-copy.ts';

export type { Head, TableFiles, TableHead } from './head-shape.ts';

export interface StoredHead {
  readonly head: Head;
  /** `commitHead` expects it. */
  readonly etag: string;
}

/** The committed head. Throws UsageError LAKE_EMPTY before the first. */
export async function committedHead(lake: Lake): Promise<StoredHead> {
  const stored = await readHead(lake);
  if (stored !== undefined) return stored;
  throw new UsageError(
    `${lake.name} has no tables yet: export with \`run\` first, or name another lake with --lake.`,
    'LAKE_EMPTY',
  );
}

/**
 * The committed head; undefined before the first. `starts` is the run that takes up its raw answers. Throws
 * HEAD_CORRUPT, HEAD_MISSING and STATE_LOST.
 */
export async function readHead(lake: Lake, starts?: RunId): Promise<StoredHead | undefined> {
  const key = lakeKey('head');
  const stored = await lake.read(key);
  if (stored === undefined) return await refuseLostHead(lake, starts);
  const cure = 'Let `recover` put back the newest copy that is whole; the tables are unharmed.';
  return { head: await parseHead(lake, stored.bytes, { key, cure }), etag: stored.etag };
}

/** A lake with committed runs had a head. To start again would lose all that they made. */
async function refuseLostHead(lake: Lake, starts: RunId | undefined): Promise<undefined> {
  // A first commit that was only about to happen has no copy of its run.
  if ((await firstKey(lake, 'runHead')) === undefined) return await refuseLostState(lake, starts);
  // The lake's first commit happened while the copies were listed.
  if ((await lake.read(lakeKey('head'))) !== undefined) return undefined;
  throw new ExportError({
    code: 'HEAD_MISSING',
    message: `${lake.name}/${lakeKey('head')} is gone, although runs of this lake have committed. The tables are unharmed. Let \`recover\` put back the newest copy that is whole.`,
  });
}

/** A stored head at the key; undefined where it is unreadable. Files of its months may be lost. */
export async function readStored(lake: Lake, key: string): Promise<StoredForm | undefined> {
  const object = await lake.read(key);
  return object && storedIn(object.bytes);
}

/** A stored head in bytes; undefined where they are unreadable. */
export function storedIn(bytes: Buffer): StoredForm | undefined {
  return storedOrFault(bytes).stored;
}

/** The head of a run's newest commit; undefined if the run committed none. Throws HEAD_CORRUPT. */
export async function readRunHead(lake: Lake, id: RunId): Promise<Head | undefined> {
  return await readHeadAt(lake, lakeKey('runHead', { runId: id }));
}

/** The head on which this one was built; undefined where it is lost or never existed. Throws HEAD_CORRUPT. */
export async function readPreviousHead(lake: Lake, { previous, base }: Head): Promise<Head | undefined> {
  if (previous === null) return undefined;
  return await readHeadAt(lake, base ?? lakeKey('runHead', { runId: previous }));
}

/** The head at the key; undefined where none exists. Throws HEAD_CORRUPT. */
export async function readHeadAt(lake: Lake, key: string): Promise<Head | undefined> {
  const stored = await lake.read(key);
  return stored && (await parseHead(lake, stored.bytes, { key, cure: 'Take that of another run.' }));
}

/** Writes a head that is not the committed one at the key. */
export async function writeHeadAt(lake: Lake, key: string, head: Head): Promise<void> {
  const split = splitHead(head);
  await writeMonths(lake, split, (await readStored(lake, lakeKey('head')))?.months);
  await lake.write(key, storedBytes({ ...split.stored, releasedMonths: [] }));
}

/**
 * Copies the heads between a rebuild's steps to their runs, so that a rollback finds them. If this is cut
 * off, the next commit completes it.
 */
async function keepRebuiltHeads(lake: Lake, head: Pick<Head, 'base' | 'previous'>): Promise<void> {
  for (let each: typeof head | undefined = head; each?.base !== undefined; ) {
    const stored = await lake.read(each.base);
    if (stored === undefined || each.previous === null) return;
    await lake.write(lakeKey('runHead', { runId: each.previous }), stored.bytes);
    each = storedOrFault(stored.bytes).stored;
  }
}

/**
 * Commits the head, keeps a copy with its run for `rollback`, and returns the new etag. The old head must
 * still have the expected etag (undefined: must not exist). Throws COMMIT_FENCED where another commit came
 * between.
 */
export async function commitHead(lake: Lake, head: Head, expectedEtag: string | undefined): Promise<string> {
  const replaced = await keepCopyOfReplaced(lake, expectedEtag);
  const id = (await readLakeId(lake)) ?? replaced?.lake;
  const split = splitHead({ ...head, ...(id !== undefined && { lake: id }) });
  const releasedMonths = await commitMonths(lake, {
    split,
    before: replaced?.releasedMonths ?? [],
    now: head.committedAt,
  });
  const bytes = storedBytes({ ...split.stored, releasedMonths });
  // Whatever is lost between this and the copy, one of the three names the last head.
  await lake.write(lakeKey('nextHead'), bytes);
  const etag = await replaceHead(lake, bytes, expectedEtag);
  await lake.write(lakeKey('runHead', { runId: head.runId }), bytes);
  await keepRebuiltHeads(lake, head);
  await writeStateCopy(lake, { head, bytes, split });
  return etag;
}

function storedBytes(stored: StoredForm): Buffer {
  return Buffer.from(`${JSON.stringify(storedHeadShape.parse(stored))}\n`);
}

async function replaceHead(lake: Lake, bytes: Buffer, expectedEtag: string | undefined): Promise<string> {
  try {
    const condition = expectedEtag === undefined ? ({ absent: true } as const) : { match: expectedEtag };
    return await lake.write(lakeKey('head'), bytes, condition);
  } catch (cause) {
    if (!(cause instanceof ConditionFailed)) throw cause;
    // After a lost answer the SDK puts again, and finds its own head.
    const stored = await lake.read(lakeKey('head'));
    if (stored?.bytes.equals(bytes)) return stored.etag;
    throw fenced(lake, cause);
  }
}

function fenced(lake: Lake, cause?: unknown): ExportError {
  return new ExportError({
    code: 'COMMIT_FENCED',
    message: `${lake.name}/${lakeKey('head')} was committed by another run in the meantime, so nothing of this one was published. Start a new run.`,
    cause,
  });
}

/**
 * The head that is about to be replaced, if it is readable. Makes its missing copy: a process may have died
 * after its commit. Throws COMMIT_FENCED where it is not the expected one.
 */
async function keepCopyOfReplaced(
  lake: Lake,
  expectedEtag: string | undefined,
): Promise<StoredForm | undefined> {
  const object = await lake.read(lakeKey('head'));
  if (object?.etag !== expectedEtag) throw fenced(lake);
  const replaced = object && storedOrFault(object.bytes).stored;
  // It keeps nothing of another lake's head.
  if (object === undefined || replaced === undefined || !isOfLake(replaced, await readLakeId(lake)))
    return undefined;
  const key = lakeKey('runHead', { runId: replaced.runId });
  const copy = await lake.read(key);
  const isKept = copy !== undefined && (storedOrFault(copy.bytes).stored?.attempt ?? 0) > replaced.attempt;
  if (!isKept && copy?.bytes.equals(object.bytes) !== true) await lake.write(key, object.bytes);
  await keepRebuiltHeads(lake, replaced);
  return replaced;
}

async function parseHead(
  lake: Lake,
  bytes: Buffer,
  { key, cure }: { readonly key: string; readonly cure: string },
): Promise<Head> {
  if (latest?.bytes.equals(bytes) === true) return latest.head;
  const { stored, fault, version } = storedOrFault(bytes);
  // A head of a later version of this program is sound, so nobody should replace it by an older one.
  if (version > NEWEST_VERSION)
    throw new ExportError({
      code: 'LAKE_NEWER',
      message: `${lake.name}/${key} is of version ${version}, and this program knows versions up to ${NEWEST_VERSION}: a later one wrote this lake. Install that one, or name another lake with --lake; nothing is damaged.`,
    });
  try {
    if (stored === undefined) throw new MonthLost(`${lake.name}/${key} is damaged: ${fault}`);
    const head = await joinHead(lake, stored);
    latest = { bytes, head };
    return head;
  } catch (error) {
    if (!(error instanceof MonthLost)) throw error;
    throw new ExportError({ code: 'HEAD_CORRUPT', message: `${error.message}. ${cure}` });
  }
}

/** The last head that was read. The stages of one process read the same head several times each. */
let latest: { readonly bytes: Buffer; readonly head: Head } | undefined;

function storedOrFault(bytes: Buffer) {
  try {
    const json: unknown = JSON.parse(bytes.toString('utf8'));
    const { data: stored, error } = storedHeadShape.safeParse(json);
    const [issue] = error?.issues ?? [];
    const fault = `${issue?.path.join('.') || 'it'}: ${issue?.message}`;
    return { stored, fault, version: Number(Object(json).version) || 0 };
  } catch {
    return { stored: undefined, fault: 'it is not JSON', version: 0 };
  }
}

/**
 * Throws STATE_LOST where a lake has no head, but files of an unknown run: a new run would hide that history. A
 * start is refused next to a copy of the state, too. A killed first run is known, because it wrote its record
 * first. The oldest run with raw answers may start where no table is there: it makes the history again. Only the
 * oldest run is checked, which comes first in each folder.
 */
async function refuseLostState(lake: Lake, starts?: RunId): Promise<undefined> {
  const found: string[] = [];
  for (const [kind, name] of [
    ['raw', 'raw answers'],
    ['table', 'files of tables'],
  ] as const) {
    const runId = (await firstKey(lake, kind))?.runId;
    if (kind === 'raw' && runId === starts) continue;
    if (runId !== undefined && (await lake.read(lakeKey('runConfig', { runId }))) === undefined)
      found.push(`${name} of run ${runId}`);
  }
  // A commit writes this copy after its head. On AWS no stage but start has the right to read it here.
  if (starts !== undefined && found.length === 0 && (await lake.read(lakeKey('stateCopy'))) !== undefined)
    found.push('a copy of the state of its last commit');
  // A commit may have come during the check. Then raw may be gone, and the record with it.
  if (found.length === 0 || (await lake.read(lakeKey('head'))) !== undefined) return undefined;
  throw new ExportError({
    code: 'STATE_LOST',
    message: `${lake.name} has ${found.join(' and ')}, but its state/ is lost: no head says which files make up the tables. A run would begin a new history beside them. Put state/ back from a copy, or let \`recover\` make a head from what is left; or, to begin again, move raw/, tables/ and state-copy/ away or name another lake with --lake.`,
  });
}
