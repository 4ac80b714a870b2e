import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

type Days = Readonly<Record<string, { readonly run: string; readonly parts: readonly number[] }>>;
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** The files of a table by their dates, read by code of its own from the head of a folder lake and its months. */
export function filesOf(root: string, table: string): ReadonlyMap<string, readonly string[]> {
  const head = json(join(root, 'state/head.json'));
  const closed = Object.entries<string>(head.months).map(
    ([month, hash]) => json(join(root, `state/months/${month}/${hash}.json`))[table] ?? {},
  );
  const days: Days = Object.assign({}, ...closed, head.tables[table]?.dates);
  const pathOf = (date: string, run: string, part: number) =>
    join(root, `tables/${table}/export_date=${date}/run=${run}/part-${`${part}`.padStart(4, '0')}.parquet`);
  return new Map(
    Object.entries(days).map(([date, { run, parts }]) => [date, parts.map((n) => pathOf(date, run, n))]),
  );
}

/** The rows of these files, by another reader than DuckDB. */
export async function rowsOf(paths: readonly string[]) {
  const all = paths.map(async (path) => {
    const bytes = readFileSync(path);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    return await parquetReadObjects({ file, compressors });
  });
  return (await Promise.all(all)).flat();
}

/** The files below a folder; none where there is no such folder. */
export const filesBelow = (folder: string): readonly string[] =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];

/** True where a file below the folder, by its name or what is in it, still tells of a run. */
export function isTracedIn(folder: string, runId: string): boolean {
  return filesBelow(folder).some((path) => {
    const bytes = readFileSync(path);
    return `${path} ${path.endsWith('.gz') ? gunzipSync(bytes) : bytes.toString('latin1')}`.includes(runId);
  });
}
