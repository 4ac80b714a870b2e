import * as z from 'zod';
import { OBJECTS_AT_ONCE, readJson, writeJson } from '../lake/json-object.ts';
import { type KeyFields, lakeKey, listKeys } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { sideBySide } from '../side-by-side.ts';
import { RESOURCE_NAMES } from '../sources/resources.ts';

const group = z.object({
  resource: z.enum(RESOURCE_NAMES),
  /** The number of earlier sweeps in which these parents failed. */
  failures: z.number().int().nonnegative(),
  parents: z.array(z.string()),
});

/** Parents of one batch with a due listing of a resource. */
export type BatchGroup = z.infer<typeof group>;

const batchFile = z.object({ groups: z.array(group) });

export type BatchPlace = Omit<KeyFields<'batch'>, 'batch'>;

/**
 * Writes the batches of a pass and returns their number. Removes further batches of an earlier attempt, except
 * if this is certainly the first: then it need not list them.
 */
export async function writeBatches(
  lake: Lake,
  place: BatchPlace,
  batches: readonly (readonly BatchGroup[])[],
  { isFirst = false }: { readonly isFirst?: boolean } = {},
): Promise<number> {
  await sideBySide(batches, OBJECTS_AT_ONCE, (groups, batch) =>
    lake.write(lakeKey('batch', { ...place, batch }), Buffer.from(JSON.stringify({ groups }))),
  );
  if (isFirst) return batches.length;
  const stale: string[] = [];
  for await (const { key, batch } of listKeys(lake, 'batch', place)) {
    if (batch >= batches.length) stale.push(key);
  }
  await lake.remove(stale);
  return batches.length;
}

/** The groups of a batch; empty where the batch does not exist. Throws STATE_CORRUPT. */
export async function readBatch(lake: Lake, place: KeyFields<'batch'>): Promise<readonly BatchGroup[]> {
  return (await readJson(lake, lakeKey('batch', place), batchFile))?.groups ?? [];
}

const parentsFile = z.array(z.string()).readonly();

/**
 * The parents of a source with possible rows of children in the committed tables, as the last plan noted
 * them; empty without a plan. They may be more than have rows, never fewer. Throws STATE_CORRUPT.
 */
export async function readParents(lake: Lake, source: string): Promise<readonly string[]> {
  return (await readJson(lake, lakeKey('parents', { source }), parentsFile)) ?? [];
}

/** Notes the parents of a source, if they are others than before. */
export async function writeParents(lake: Lake, source: string, parents: readonly string[]): Promise<void> {
  const key = lakeKey('parents', { source });
  const bytes = Buffer.from(JSON.stringify(parents));
  if ((await lake.read(key))?.bytes.equals(bytes) !== true) await lake.write(key, bytes);
}

const turnFile = z.object({ from: z.string().nullable() });

/** The hash of the parent where the source's next run begins; undefined where the last run reached the end. */
export async function readTurn(lake: Lake, source: string): Promise<string | undefined> {
  return (await readJson(lake, lakeKey('turn', { source }), turnFile))?.from ?? undefined;
}

/** Notes where the next run begins; undefined = every parent was asked. */
export async function writeTurn(lake: Lake, source: string, from: string | undefined): Promise<void> {
  await writeJson(lake, lakeKey('turn', { source }), { from: from ?? null });
}
