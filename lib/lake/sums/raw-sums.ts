import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { RunId } from '../../run-id.ts';
import { sideBySide } from '../../side-by-side.ts';
import { damagedFile } from '../damaged-file.ts';
import { OBJECTS_AT_ONCE, readJson, writeJson } from '../json-object.ts';
import { type KeyFields, lakeKey, parseKey } from '../keys.ts';
import type { Lake } from '../lake.ts';
import { FILE_SUM, rawFileSum } from './file-sum.ts';

const rawSums = z.record(z.string(), z.string().regex(FILE_SUM));

/** The sums of a run's raw files by key; none for a run of an earlier version. Throws STATE_CORRUPT. */
export async function readRawSums(lake: Lake, runId: RunId): Promise<Readonly<Record<string, string>>> {
  return (await readJson(lake, lakeKey('rawSums', { runId }), rawSums)) ?? {};
}

export interface NoteRawSums {
  readonly runId: RunId;
  /** True for a repair or rebuild: the run was committed, so the former sums of its files hold. */
  readonly isAgain: boolean;
  readonly files: readonly { readonly key: string; readonly path: string }[];
}

/** Notes the sums of the raw files that plan is about to read. Throws RAW_CORRUPT where one has changed. */
export async function noteRawSums(lake: Lake, { runId, isAgain, files }: NoteRawSums): Promise<void> {
  const before = isAgain ? await readRawSums(lake, runId) : {};
  const found = await sideBySide(files, OBJECTS_AT_ONCE, async ({ key, path }) => {
    const was = before[key];
    const { sum: is, isWhole } = await rawFileSum(path);
    if (!isWhole) throw damagedFile(path, new Error('its content is not as it was written'));
    if (was !== undefined && was !== is)
      throw damagedFile(path, new Error(`the file has ${is} and was written with ${was} (bytes, SHA-256)`));
    return [key, is] as const;
  });
  if (found.some(([key]) => before[key] === undefined))
    await writeJson(lake, lakeKey('rawSums', { runId }), { ...before, ...Object.fromEntries(found) });
}

/** Puts a file of this machine in a raw file's place. Until its new sum is noted it has none, so it never looks damaged. */
export async function replaceRawFile(
  lake: Lake,
  { runId, key, path }: { readonly runId: RunId; readonly key: string; readonly path: string },
): Promise<void> {
  const { [key]: was, ...others } = await readRawSums(lake, runId);
  const sums = lakeKey('rawSums', { runId });
  const { sum } = await rawFileSum(path);
  if (was !== undefined) await writeJson(lake, sums, others);
  await lake.moveIn(key, path);
  if (was !== undefined) await writeJson(lake, sums, { ...others, [key]: sum });
}

export interface ChangeRawSums {
  readonly runId: RunId;
  readonly source: string;
  /** The new key of a file of the source; undefined for a file that is gone. */
  readonly keyOf: (raw: KeyFields<'raw'>) => string | undefined;
}

/** Notes the files of a renamed source under their new keys, and forgets those of a purged one. */
export async function changeRawSums(lake: Lake, { runId, source, keyOf }: ChangeRawSums): Promise<void> {
  const before = Object.entries(await readRawSums(lake, runId));
  const after = before.flatMap(([key, sum]) => {
    const raw = parseKey(key);
    const now = raw?.kind === 'raw' && raw.source === source ? keyOf(raw) : key;
    return now === undefined ? [] : [[now, sum] as const];
  });
  if (isDeepStrictEqual(after, before)) return;
  await writeJson(lake, lakeKey('rawSums', { runId }), Object.fromEntries(after));
}
