import { lakeKey, listKeys } from '../../lake/keys.ts';
import type { Lake } from '../../lake/lake.ts';
import { parentHash } from '../../parent-hash.ts';
import { answersSql, endedSql } from '../../run/answers.ts';
import {
  type BatchGroup,
  type BatchPlace,
  type Endings,
  readBatch,
  readTurn,
  summedEndings,
} from '../../run/batch.ts';
import { storedRaw } from '../../run/raw-of-run.ts';
import type { DuckDb } from '../../runtime/duckdb.ts';
import { quoteLiteral } from '../../sql.ts';

/** An object of the lake that has something of what is purged. */
export interface Place {
  readonly key: string;
  readonly bytes: number;
  readonly isRaw: boolean;
  /** Writes it again without. */
  readonly clean: () => Promise<void>;
}

interface OfParent {
  readonly lake: Lake;
  readonly db: DuckDb;
  readonly source: string;
  readonly parentId: string;
}

/**
 * The state that names a parent: batches, waits, what its listing lacked, parents with children, the next turn. Clean it
 * before its raw answers: a batch then notes how they had ended.
 */
export async function* placesInState(of: OfParent): AsyncGenerator<Place> {
  const { lake, source, parentId } = of;
  const place = (key: string, clean: () => Promise<void>): Place => ({ key, bytes: 0, isRaw: false, clean });
  for await (const { key, ...batch } of listKeys(lake, 'batch')) {
    if (batch.source !== source) continue;
    const groups = await readBatch(lake, batch);
    if (groups.every(({ parents }) => !parents.includes(parentId))) continue;
    yield place(key, async () => {
      const left: BatchGroup[] = [];
      for (const group of groups) left.push(await groupWithout(group, { ...of, ...batch }));
      await lake.write(key, Buffer.from(JSON.stringify({ groups: left })));
    });
  }
  const others = [lakeKey('parents', { source })];
  for (const kind of ['dialects', 'pause'] as const)
    for await (const each of listKeys(lake, kind)) if (each.source === source) others.push(each.key);
  for (const key of others) {
    const text = (await lake.read(key))?.bytes.toString('utf8');
    if (text === undefined) continue;
    const left = JSON.stringify(withoutParent(JSON.parse(text), parentId));
    if (left === JSON.stringify(JSON.parse(text))) continue;
    yield place(key, async () => void (await lake.write(key, Buffer.from(left))));
  }
  const turn = lakeKey('turn', { source });
  if ((await readTurn(lake, source)) === parentHash(parentId)) yield place(turn, () => lake.remove([turn]));
}

/** A group without the parent. The first pass names each listing of a run once, so it keeps the counts. */
async function groupWithout(group: BatchGroup, of: OfParent & BatchPlace): Promise<BatchGroup> {
  const { resource, parents, purged = {} } = group;
  if (!parents.includes(of.parentId)) return group;
  const left = { ...group, parents: parents.filter((id) => id !== of.parentId) };
  if (of.pass > 0) return left;
  return { ...left, purged: summedEndings([purged, await endingOf(resource, of)]) };
}

async function endingOf(
  resource: BatchGroup['resource'],
  { lake, db, runId, source, parentId }: OfParent & BatchPlace,
): Promise<Endings> {
  const [stored] = await storedRaw(lake, { runId, source, resource });
  const answers = stored && answersSql(await lake.localPaths(stored.keys));
  const [row] =
    answers === undefined
      ? []
      : await db.rows(`
          -- grain: one row
          select outcome, attempts, retries
          from (${endedSql(`(select * from (${answers}) where parent_id = ${quoteLiteral(parentId)})`)})`);
  const { outcome = 'failed', attempts = 0, retries = 0 } = row ?? {};
  return { [String(outcome)]: 1, requests: Number(attempts), retries: Number(retries) };
}

/** JSON of the state without a parent: in lists of parents, and in the waits for its listings. */
export function withoutParent<Value>(value: Value, parentId: string): Value {
  return JSON.parse(JSON.stringify(value), (name, each: unknown) => {
    if (Array.isArray(each) && ['', 'parents', 'unlisted'].includes(name))
      return each.filter((id) => id !== parentId);
    if (name !== 'items' || typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(
      Object.entries(each).filter(([item]) => item.slice(item.indexOf('/') + 1) !== parentId),
    );
  });
}
