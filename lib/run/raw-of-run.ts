import { firstKey, type ListedKey, listKeys } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import type { ResourceName } from '../sources/resources.ts';

/** The raw files of one resource of one source in a run. */
export interface StoredRaw {
  readonly source: string;
  readonly resource: ResourceName;
  readonly keys: readonly string[];
  /** Bytes of the files together. */
  readonly bytes: number;
}

export interface RawOfResource extends StoredRaw {
  /** Where DuckDB can read them. */
  readonly paths: readonly string[];
}

/** Raw of 4 MiB is about 40 MiB of JSON, and 80 MiB in DuckDB's memory. */
const SMALL_BYTES = 4 * 1024 * 1024;

/** Bytes of files together. */
export function bytesOf(all: readonly Pick<StoredRaw, 'bytes'>[]): number {
  return all.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** True if all records fit into memory. */
export function isSmall({ bytes }: Pick<StoredRaw, 'bytes'>): boolean {
  return bytes <= SMALL_BYTES;
}

/** Raw answers that are not copied to this machine, because they would fill its disk. */
export class RawTooLarge extends Error {
  constructor({ source, resource, bytes }: StoredRaw, room: number) {
    super(`No Room on Disk: ${bytes} bytes of ${source}/${resource}, and room for ${room}`);
    this.name = 'RawTooLarge';
  }
}

/** Raw files at a place where DuckDB can read them. Throws RawTooLarge. */
export async function localRaw(lake: Lake, stored: StoredRaw): Promise<RawOfResource> {
  const room = (await lake.copies?.room()) ?? Number.POSITIVE_INFINITY;
  if (stored.bytes > room) throw new RawTooLarge(stored, room);
  return { ...stored, paths: await lake.localPaths(stored.keys) };
}

/** The raw files of a run in the lake; empty where they have expired. The files are listed, not read. */
export async function storedRaw(
  lake: Lake,
  of: { readonly runId: string; readonly source?: string; readonly resource?: ResourceName },
): Promise<readonly StoredRaw[]> {
  const found: ListedKey<'raw'>[] = [];
  for await (const file of listKeys(lake, 'raw', of)) found.push(file);
  const groups = Map.groupBy(found, ({ source, resource }) => `${source}/${resource}`);
  return [...groups.values()].flatMap((files) =>
    files.slice(0, 1).map(({ source, resource }) => ({
      source,
      resource,
      keys: files.map(({ key }) => key),
      bytes: files.reduce((sum, { size }) => sum + size, 0),
    })),
  );
}

/** True if the lake has answers of the run, or of one source in it. */
export async function hasRaw(
  lake: Lake,
  of: { readonly runId: string; readonly source?: string },
): Promise<boolean> {
  return (await firstKey(lake, 'raw', of)) !== undefined;
}
