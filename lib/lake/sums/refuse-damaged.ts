import { errno } from '../../errors.ts';
import { sideBySide } from '../../side-by-side.ts';
import { DamagedTable } from '../damaged-file.ts';
import { folderError } from '../folder/folder-errors.ts';
import type { Lake } from '../lake.ts';
import { type NamedFiles, tableKeys } from '../named-files.ts';
import { fileSum } from './file-sum.ts';

/** Files to read at once: one of them keeps a disk busy, and S3 waits for each. */
const READ_AT_ONCE = 4;
const REFUSED: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EACCES', 'EPERM']);

/** The first damaged file; a file without a sum counts as whole. */
export async function firstDamaged(
  lake: Pick<Lake, 'localPaths'>,
  files: readonly NamedFiles[],
): Promise<DamagedTable | undefined> {
  const known = files.flatMap(({ sums = [], ...each }) =>
    tableKeys(each.table, each).flatMap((key, at) => ({ key, sum: sums[at] })),
  );
  const found = await sideBySide(known, READ_AT_ONCE, async ({ key, sum }) => {
    if (sum === undefined) return undefined;
    const [path = ''] = await lake.localPaths([key]);
    try {
      const is = await fileSum(path);
      if (is === sum) return undefined;
      const cause = new Error(`the file has ${is} and was written with ${sum} (bytes, SHA-256)`);
      return new DamagedTable(path, cause);
    } catch (error) {
      // The file may be whole, and it is this process that may not read it.
      if (REFUSED.has(errno(error) ?? '')) throw folderError(error, path);
      return new DamagedTable(path, error);
    }
  });
  return found.find((each) => each !== undefined);
}

/** Throws FILE_CORRUPT where a file is damaged, so nothing is built upon it. */
export async function refuseDamaged(lake: Lake, files: readonly NamedFiles[]): Promise<void> {
  const damaged = await firstDamaged(lake, files);
  if (damaged !== undefined) throw damaged;
}
