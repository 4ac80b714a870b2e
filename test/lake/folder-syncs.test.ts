import fs, { readlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { temporaryFolder } from '../support/lake-children.ts';

const RUN = 'run=20261121T030000Z.1';
const TABLE = `tables/players/export_date=2026-11-21/${RUN}/part-0000.parquet`;
const UNIT = 'state/runs/20261121T030000Z/1/units/unit-0000.json';
const BATCH = 'state/runs/20261121T030000Z/batches/berlin/pass-0/batch-00000.json';
const HEAD = 'state/head.json';

/** Calls to the system, in order: `sync PATH` and `rename TO`, below a lake. */
async function watched(
  work: (root: string) => Promise<void>,
  refuses: (path: string) => string | undefined = () => undefined,
): Promise<readonly string[]> {
  await using folder = await temporaryFolder();
  const root = folder.path;
  const log: string[] = [];
  const note = (what: string, path: string) => log.push(`${what} ${path.slice(root.length + 1)}`);
  const own = { sync: fs.fsync, rename: fs.renameSync };
  const sync = (file: number, done: fs.NoParamCallback) => {
    const path = readlinkSync(`/proc/self/fd/${file}`);
    const code = refuses(path);
    if (code !== undefined) return done(Object.assign(new Error(code), { code }));
    own.sync(file, (error) => {
      note('sync', path);
      done(error);
    });
  };
  fs.fsync = Object.assign(sync, { __promisify__: promisify(sync) });
  fs.renameSync = (from, to) => {
    own.rename(from, to);
    note('rename', String(to));
  };
  syncBuiltinESMExports();
  try {
    await work(root);
  } finally {
    fs.fsync = own.sync;
    fs.renameSync = own.rename;
    syncBuiltinESMExports();
  }
  return log;
}

describe.runIf(process.platform === 'linux')('a folder lake, behind a loss of power', () => {
  it('has all that a head names, for it was on the disk before the head', async () => {
    const log = await watched(async (root) => {
      const lake = folderLake(root);
      await using scratch = await lake.scratch();
      await writeFile(join(scratch.path, 'part'), 'rows');
      const from = join(scratch.path, 'part');
      await Promise.all([lake.moveIn(TABLE, from), lake.write(UNIT, Buffer.from('{}'))]);
      await lake.write(HEAD, Buffer.from('{}'));
    });
    const head = log.indexOf(`rename ${HEAD}`);
    const before = log.slice(0, head);
    for (const key of [TABLE, UNIT]) {
      const named = before.indexOf(`rename ${key}`);
      expect([key, named]).not.toEqual([key, -1]);
      const synced = before.slice(named).filter((each) => each.startsWith('sync '));
      const folders = key.split('/').map((_, index, parts) => parts.slice(0, index).join('/'));
      // Its bytes, and its name in every folder that was made for it.
      expect(synced).toEqual(expect.arrayContaining([key, ...folders].map((path) => `sync ${path}`)));
    }
    expect(log.slice(head)).toContain('sync state');
  });

  it('has an answer that a run goes on with whole or not at all: its bytes come before its name', async () => {
    const log = await watched(async (root) => {
      await folderLake(root).write(BATCH, Buffer.from('{}'));
    });
    const named = log.indexOf(`rename ${BATCH}`);
    expect(log.slice(0, named).filter((each) => each.startsWith('sync .scratch/'))).toHaveLength(1);
    expect(log.slice(named)).toContain(`sync ${BATCH.slice(0, BATCH.lastIndexOf('/'))}`);
  });

  it('is not committed where a file or folder does not reach the disk, unless its file system knows no sync of folders', async () => {
    const commit = async (code: string, refused: string) =>
      await watched(
        async (root) => {
          const lake = folderLake(root);
          await lake.write(UNIT, Buffer.from('{}'));
          await lake.write(HEAD, Buffer.from('{}'));
        },
        (path) => (path.endsWith(refused) ? code : undefined),
      );
    for (const refused of [UNIT, dirname(UNIT)])
      await expect(commit('EIO', refused)).rejects.toMatchObject({ cause: { code: 'EIO' } });
    expect(await commit('EINVAL', dirname(UNIT))).toContain(`rename ${HEAD}`);
  });
});
