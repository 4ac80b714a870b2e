import type { RawRow } from '../lake/raw/raw.ts';
import { openRawFiles, type RawFiles } from '../run/raw-files.ts';
import { type Listed, type ListOneOptions, listOne } from './list-one.ts';

/** Readings of a listing whose pages do not prove to be all: one that lacks and repeats nothing is good. */
const READINGS = 3;

export interface ListedWhole extends Listed, AsyncDisposable {
  /** With the answer in it, to be put into raw. */
  readonly files: RawFiles;
}

export interface ListWholeOptions extends Omit<ListOneOptions, 'files'> {
  /** The ids that committed runs found, as far as they are known. */
  readonly former: () => Promise<readonly string[]>;
}

/**
 * Calls one top-level listing. One in pages that has no total, or the same record on two pages, is read until a reading
 * repeats none and lacks none of an earlier one: a record may move from a page to come to one that has been. Where all
 * readings are alike and nothing that was there is missing, the server has the repeated records twice.
 */
export async function listWhole(options: ListWholeOptions): Promise<ListedWhole> {
  const { services, resource } = options;
  const seen = new Set<string>();
  const orders = new Set<number>();
  for (let reading = 1; ; reading++) {
    const files = await openRawFiles(services.lake, [resource.name]);
    try {
      const listed = await listOne({ ...options, files });
      const { ids, found, repeats, last } = listed;
      const lacking = ids === undefined ? 0 : [...seen].filter((id) => !ids.has(id)).length;
      orders.add(listed.order);
      const isGood =
        ids === undefined ||
        found.isWhole ||
        (reading > 1 && lacking + repeats === 0) ||
        (reading === READINGS && orders.size === 1 && (await hasAllTwice(options, listed)));
      if (isGood || reading === READINGS) {
        await files.append(resource.name, isGood ? last : unstable(last, { lacking, repeats }));
        const end = isGood ? listed : { ...listed, ids: undefined };
        return { ...end, files, [Symbol.asyncDispose]: () => files[Symbol.asyncDispose]() };
      }
      for (const id of ids) seen.add(id);
    } catch (error) {
      await files[Symbol.asyncDispose]();
      throw error;
    }
    await files[Symbol.asyncDispose]();
  }
}

/** Whether what repeats is no sign of records that moved: it did so in earlier runs, or none of theirs is missing. */
async function hasAllTwice({ lock, former }: ListWholeOptions, { ids, repeats }: Listed): Promise<boolean> {
  if (repeats <= (lock?.repeats ?? 0)) return true;
  return (await former()).every((id) => ids?.has(id));
}

function unstable(
  last: RawRow,
  { lacking, repeats }: { readonly lacking: number; readonly repeats: number },
): RawRow {
  const message = `Records move between the pages while they are read: in the last of ${READINGS} readings ${repeats} came twice, and ${lacking} of an earlier one were missing. The committed records stay as they were; run when the server is quieter.`;
  return { ...last, outcome: 'failed', errorCode: 'LISTING_UNSTABLE', message };
}
