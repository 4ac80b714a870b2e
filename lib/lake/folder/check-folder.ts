import { lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ExportError, UsageError } from '../../errors.ts';

/** DuckDB takes a path with one of these for a pattern, and has no way to escape them. */
const OF_PATTERNS = /[*?[]/;

/** The folders within a lake. */
const OWN = ['raw', 'state', 'state-copy', 'tables'];

/**
 * Checks that a lake can be in a folder. Throws UsageError LAKE_NOT_WRITABLE for a path with a sign of
 * patterns. Throws ExportError LAKE_NOT_WRITABLE where one of its own folders, or an entry of one, is a link.
 */
export function checkFolder(root: string): void {
  checkPath(root, '--lake');
  try {
    for (const name of OWN) refuseLinksIn(join(root, name));
  } catch (error) {
    // Whoever reads or writes there reports an unreadable folder better.
    if (error instanceof ExportError) throw error;
  }
}

function refuseLinksIn(folder: string): void {
  refuseLink(folder);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isSymbolicLink()) refuseLink(join(folder, entry.name));
}

/** Throws UsageError LAKE_NOT_WRITABLE where DuckDB takes the path for a pattern; `by` is the setting. */
export function checkPath(path: string, by: string): void {
  const sign = OF_PATTERNS.exec(path)?.[0];
  if (sign === undefined) return;
  throw new UsageError(
    `The path ${JSON.stringify(path)} contains ${sign}, so DuckDB would read it as a pattern for several paths. Name a folder without * ? [ by ${by}.`,
    'LAKE_NOT_WRITABLE',
  );
}

/** Throws LAKE_NOT_WRITABLE where the path is a link. A link breaks renames, listings and removals. */
export function refuseLink(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new ExportError({
    code: 'LAKE_NOT_WRITABLE',
    message: `${path} is a link, but all files of a lake lie in one folder. Move the target of the link to that path, or name another folder with --lake. The folder of the lake itself may be a link.`,
  });
}
