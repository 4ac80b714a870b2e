import type { RawRow } from '../lake/raw/raw.ts';
import { openRawFiles, type RawFiles } from '../run/raw-files.ts';
import { type Listed, type ListOneOptions, listOne } from './list-one.ts';

/** How often a listing is read at most, where its pages do not prove that they are all. */
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
 * Calls one top-level listing. Some listings in pages are read again: those without a declared total, and those with
 * the same record on two pages. The reason: while page 1 is read, a record may move from page 2 to page 1, and nobody
 * sees it. The listing is read until one reading has every record once and lacks no record of an earlier reading. Where
 * all readings are alike and no record of earlier runs is missing, the server simply has the repeated records twice.
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

/**
 * True where repeated records are no sign of records that moved: they were repeated in earlier runs too, or no record
 * of the earlier runs is missing.
 */
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
