import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '#lib/errors.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { nearest } from '#lib/text.ts';
import { openLake } from './local-services.ts';
import { PROGRAM } from './program-name.ts';

/** The lake that `--lake` names, to be read. Throws UsageError LAKE_MISSING if the folder is missing. */
export async function existingLake(name: string): Promise<Lake> {
  if (name.startsWith('s3://') || existsSync(name)) return await openLake(name);
  const meant = lakeMeant(name);
  const cure =
    meant === undefined
      ? `name another with --lake, or make this one with \`${PROGRAM} run\``
      : `did you mean --lake ${meant}?`;
  throw new UsageError(`There is no lake ${name}: ${cure}${meant === undefined ? '.' : ''}`, 'LAKE_MISSING');
}

/** The lake next to it with a similar name; otherwise the only lake that is there. */
function lakeMeant(name: string): string | undefined {
  const folder = dirname(name);
  const lakes = foldersIn(folder).filter((each) => existsSync(join(folder, each, 'state', 'head.json')));
  const meant = nearest(basename(name), lakes) ?? (lakes.length === 1 ? lakes[0] : undefined);
  if (meant === undefined) return undefined;
  return name.startsWith('./') ? `./${meant}` : join(folder, meant);
}

function foldersIn(folder: string): readonly string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}
