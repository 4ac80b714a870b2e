import { statSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { errno, UsageError } from '#lib/errors.ts';
import { committedHead } from '#lib/lake/head.ts';
import type { Scratch } from '#lib/lake/lake.ts';
import { databaseScript } from '#lib/views/database-script.ts';
import { leaveDatabase, makeDatabase } from '#lib/views/leave-database.ts';
import { MEMORY_LIMIT_MIB } from '#lib/views/open-tables.ts';
import { existingLake, localServices } from './local-services.ts';
import { notWritten } from './named-files.ts';
import { commandOf, flag, ofStack, text } from './options.ts';
import { note, tell } from './say.ts';

const OPTIONS = {
  deployed: ofStack(),
  out: text(
    '<file>',
    'a DuckDB file, or SQL where the name ends in .sql; without it lake.duckdb in the lake',
  ),
  store: flag("with the views' rows of now in the DuckDB file, so that each answers at once"),
  at: text('<place>', 'of SQL: where the lake is for those who read it, such as /mnt/lake'),
};

export const addViews = commandOf(OPTIONS, async (options) => {
  const { out, at, store: isStored } = options;
  const lake = await existingLake(options.lake);
  const isRemote = lake.name.startsWith('s3://');
  const isScript = out !== undefined && /\.sql$/i.test(out);
  const secret = `${lake.name} is on S3, where only who has the secrets can open its files`;
  const script = 'add --out lake.sql, then `duckdb lake.duckdb < lake.sql` with them';
  if (isRemote && !isScript) throw new UsageError(`${secret}: ${script}.`, 'VIEWS_NOT_WRITTEN');
  if (at !== undefined && !isScript)
    throw new UsageError(
      `--at ${at} works only with an SQL file, because a DuckDB file is made where its lake is: add --out lake.sql.`,
    );
  if (isStored && (out === undefined || isScript))
    throw new UsageError(
      '--store works only with a DuckDB file of its own: add --out stored.duckdb. Each run replaces lake.duckdb.',
    );
  const { head } = await committedHead(lake);
  const make = async (scratch: Scratch) => {
    const services = { ...localServices(lake), memoryLimitMiB: MEMORY_LIMIT_MIB };
    if (!isScript) return await makeDatabase(services, { head, scratch, isStored });
    const path = join(scratch.path, 'lake.sql');
    const place = at ?? (isRemote ? lake.name : resolve(lake.name));
    await writeFile(path, await databaseScript(lake, { head, at: place }));
    return { path, broken: [] };
  };
  const broken = await (out === undefined ? leaveDatabase(localServices(lake)) : written(out, make));
  const file = out ?? join(lake.name, 'lake.duckdb');
  if (broken.length > 0)
    note(`warning: without ${broken.join(', ')}: one of its files is damaged or missing.`);
  tell(options, { written: [file], run: head.runId, leftOut: broken }, `Wrote ${file}`);
});

/** Makes a file in a folder next to its place, and then moves it there whole. */
async function written(
  out: string,
  make: (scratch: Scratch) => Promise<{ readonly path: string; readonly broken: readonly string[] }>,
): Promise<readonly string[]> {
  const there = statSync(out, { throwIfNoEntry: false });
  // It would replace a device such as /dev/null.
  if (there !== undefined && !there.isFile())
    throw notWritten(out, 'VIEWS_NOT_WRITTEN', { code: there.isDirectory() ? 'EISDIR' : undefined });
  try {
    const path = await mkdtemp(join(dirname(resolve(out)), '.views-'));
    await using scratch = { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
    const made = await make(scratch);
    await rm(`${out}.wal`, { force: true });
    // A new file is as the umask says.
    if (there !== undefined) await chmod(made.path, there.mode & 0o777);
    await rename(made.path, out);
    return made.broken;
  } catch (cause) {
    if (errno(cause) === undefined) throw cause;
    throw notWritten(out, 'VIEWS_NOT_WRITTEN', cause);
  }
}
