import { hash } from 'node:crypto';
import * as z from 'zod';
import { hasCode, instead } from '../errors.ts';
import { committedHead, type Head } from '../lake/head.ts';
import { readJson, writeJson } from '../lake/json-object.ts';
import { lakeKey, listKeys } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { namedFiles, tableKeys } from '../lake/named-files.ts';
import { bytesIn, objectSum } from '../lake/sums/file-sum.ts';
import { readRawSums } from '../lake/sums/raw-sums.ts';
import { exportDate } from '../run-id.ts';
import { sideBySide } from '../side-by-side.ts';
import { type ReaderServices, wayBack } from './way-back.ts';

/** Parallel reads: four keep a disk busy, and hide most of S3's waits. */
const READ_AT_ONCE = 4;

const count = z.number().int().nonnegative();
const lastVerified = z.object({
  at: z.iso.datetime(),
  /** The part that was read, from 0, and the number of parts: 0 of 1 is all. */
  part: count,
  parts: z.number().int().positive(),
  files: count,
  bytes: count,
  /** Files from before there were sums: nothing is known about them. */
  unknown: count,
  damaged: count,
});

/** When files were last compared with their sums, how many, and what the result was. */
export type LastVerified = Readonly<z.infer<typeof lastVerified>>;

/** The last call of `verify`; undefined before the first. */
export async function readLastVerified(lake: Lake): Promise<LastVerified | undefined> {
  return await readJson(lake, lakeKey('verified'), lastVerified);
}

/** A file with the sum that it had when it was written. */
interface Summed {
  readonly key: string;
  readonly sum: string | undefined;
  readonly date: string;
  readonly isRaw: boolean;
}

export type Verified = Awaited<ReturnType<typeof verify>>;

/**
 * Reads the head's files of tables and the kept raw answers, and compares each with its sum. A sample reads
 * one part of the files, by their keys. The next call with the same percentage reads the next part.
 */
export async function verify(percent: number, services: ReaderServices) {
  const { lake, now } = services;
  const { head } = await committedHead(lake);
  const parts = Math.ceil(100 / percent);
  const last = await readLastVerified(lake);
  const part = last?.parts === parts ? (last.part + 1) % parts : 0;
  const all = [...tableFiles(head), ...(await rawFiles(services))];
  // Each file is in the same part in each call.
  const partOf = (key: string) => Number.parseInt(hash('sha256', key).slice(0, 8), 16) % parts;
  const files = all.filter(({ key }) => partOf(key) === part);
  const known = files.filter(({ sum }) => sum !== undefined);
  const faults = await sideBySide(known, READ_AT_ONCE, async (file) => {
    const is = await objectSum(lake, file.key);
    return is === file.sum ? [] : [{ ...file, fault: is === undefined ? 'missing' : 'damaged' } as const];
  });
  const found = await withCures(faults.flat(), { head, services });
  const said: LastVerified = {
    ...{ at: now().toISOString(), part, parts },
    files: known.length,
    bytes: known.reduce((sum, each) => sum + bytesIn(each.sum ?? ''), 0),
    unknown: files.length - known.length,
    damaged: found.length,
  };
  // If this user may not write to the lake, `status` does not know about it.
  const isNoted = await writeJson(lake, lakeKey('verified'), said).then(
    () => true,
    instead(hasCode('LAKE_NOT_WRITABLE'), false),
  );
  return { ...said, found, isNoted };
}

function tableFiles(head: Head): readonly Summed[] {
  return namedFiles(head).flatMap(({ table, date, sums = [], ...files }) =>
    tableKeys(table, { date, ...files }).map((key, at) => ({ key, sum: sums[at], date, isRaw: false })),
  );
}

/** The noted raw answers, whether they are there or not, and those without a note. */
async function rawFiles({ lake, config }: ReaderServices): Promise<readonly Summed[]> {
  const byRun = new Map<string, Set<string>>();
  for await (const { runId, key } of listKeys(lake, 'raw')) {
    const keys = byRun.get(runId) ?? new Set();
    byRun.set(runId, keys.add(key));
  }
  // All raw answers of a run may be lost.
  for await (const { runId } of listKeys(lake, 'rawSums')) byRun.set(runId, byRun.get(runId) ?? new Set());
  const runs = await sideBySide(byRun, READ_AT_ONCE, async ([runId, keys]) => {
    const sums = await readRawSums(lake, runId);
    const date = exportDate(runId, config?.timeZone ?? 'UTC');
    const each = new Set([...Object.keys(sums), ...keys]);
    return [...each].map((key) => ({ key, sum: sums[key], date, isRaw: true }));
  });
  return runs.flat();
}

/** The damaged objects, each with its repair as a sentence. */
async function withCures(
  faults: readonly (Summed & { readonly fault: 'damaged' | 'missing' })[],
  of: { readonly head: Head; readonly services: ReaderServices },
) {
  if (faults.length === 0) return [];
  const { rebuildFrom, rollbacks } = await wayBack(of.head, of.services);
  const lostRaw = faults.flatMap(({ isRaw, date }) => (isRaw ? [date] : []));
  return faults.map(({ key, fault, date, isRaw }) => {
    const canRebuild = rebuildFrom !== null && rebuildFrom <= date && lostRaw.every((lost) => lost < date);
    const [back] = rollbacks;
    const cure = isRaw
      ? `put it back from a copy; the tables do not need it, but no rebuild from ${date} or before can be made`
      : canRebuild
        ? `build the tables again with \`rebuild --from ${date}\``
        : date === of.head.exportDate && back !== undefined
          ? `put it back from a copy, or take the commit before with \`rollback ${back.runId}\``
          : 'put it back from a copy; its raw answers are not kept';
    return { key, fault, cure };
  });
}
