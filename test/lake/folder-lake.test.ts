import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect } from 'vitest';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { startChild, startChildOfLimitedFiles, temporaryFolder } from '../support/lake-children.ts';
import { itWithLake as it } from '../support/temporary-lake.ts';
import { describeLake } from './lake-contract.ts';

const text = (words: string) => Buffer.from(words);

describeLake('a folder', async (test) => {
  await using folder = await temporaryFolder();
  await test(folderLake(folder.path));
});

describe('folder lake', () => {
  it('leaves a folder that was opened for others as it is', async () => {
    await using folder = await temporaryFolder();
    await chmod(folder.path, 0o775);
    await folderLake(folder.path).write('a/b', text('hello'));
    expect((await stat(folder.path)).mode & 0o777).toBe(0o775);
    expect((await stat(join(folder.path, 'a/b'))).mode & 0o044).toBe(0o044);
  });

  it('makes and removes nothing through a link, and removes its own names alone', async () => {
    await using folder = await temporaryFolder();
    const old = new Date(Date.now() - 48 * 3_600_000);
    const lake = folderLake(join(folder.path, 'lake'));
    await mkdir(join(folder.path, 'lake', '.scratch'), { recursive: true });
    const foreign = join(folder.path, 'lake', '.scratch', 'thesis.txt');
    await writeFile(foreign, 'mine');
    await utimes(foreign, old, old);
    await (await lake.scratch())[Symbol.asyncDispose]();
    expect(await readdir(join(folder.path, 'lake', '.scratch'))).toEqual(['thesis.txt']);

    await mkdir(join(folder.path, 'home'));
    await mkdir(join(folder.path, 'other'));
    await symlink(join(folder.path, 'home'), join(folder.path, 'other', '.scratch'));
    const linked = folderLake(join(folder.path, 'other'));
    for (const step of [() => linked.scratch(), () => linked.write('a', text('x'))])
      await expect(step()).rejects.toMatchObject({ code: 'LAKE_NOT_WRITABLE' });
    expect(await readdir(join(folder.path, 'home'))).toEqual([]);
  });

  it('says where a range lies beyond the end of a file', async ({ lake }) => {
    await lake.write('a/b', text('0123456789'));
    const reader = await lake.open('a/b');
    await expect(reader?.read(8, 4)).rejects.toThrow(expect.objectContaining({ code: 'LAKE_NOT_WRITABLE' }));
    await reader?.close();
  });

  it('removes scratch at the end of its use, and at once what a killed process left', async ({ lake }) => {
    const area = join(lake.name, '.scratch');
    await using living = startChild('hold-scratch', lake.name);
    await using killed = startChild('hold-scratch', lake.name);
    const [kept, left] = [await living.printed(), await killed.printed()];
    await killed.kill();
    expect(await readdir(area)).toHaveLength(2);
    await writeFile(join(area, randomUUID()), 'of a process that was killed before it held anything');
    {
      await using scratch = await lake.scratch();
      await lake.write('a/b', text('x'));
      const folders = [kept, scratch.path].map((path) => relative(area, path).split('/')[0] ?? '');
      expect((await readdir(area)).sort()).toEqual(folders.sort());
      expect(await readdir(dirname(kept))).toContain(basename(kept));
      expect(existsSync(left)).toBe(false);
    }
    expect(await readdir(area)).toEqual([relative(area, kept).split('/')[0]]);
  });

  it('says that its path is a file', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'file');
    await writeFile(path, 'not a folder');
    const lake = folderLake(path);
    for (const call of [() => lake.write('a/b', text('x')), () => lake.read('a/b'), () => lake.scratch()]) {
      await expect(call()).rejects.toThrow(
        expect.objectContaining({ code: 'LAKE_NOT_WRITABLE', message: expect.stringContaining(path) }),
      );
    }
  });

  it('says that it has no permission', async () => {
    await using folder = await temporaryFolder();
    await chmod(folder.path, 0o500);
    const { output } = await startChild('put-large', folder.path).end();
    expect(JSON.parse(output)).toEqual({
      code: 'LAKE_NOT_WRITABLE',
      message: `No permission for ${folder.path}/raw/a. Give this user read and write permission there, or name another folder with --lake.`,
    });
  });

  it('says that no space is left, and keeps what was put before', async ({ lake }) => {
    await lake.write('raw/a', text('before'));
    for (const path of ['', 'raw', 'state', 'state/.lock', '.scratch'])
      await chmod(join(lake.name, path), 0o777);
    const { output } = await startChildOfLimitedFiles('put-large', lake.name).end();
    expect(JSON.parse(output)).toEqual({
      code: 'LAKE_FULL',
      message: `No space is left for ${lake.name}/raw/a. Free some space on its disk, or name another folder with --lake; what was committed is unharmed.`,
    });
    expect((await lake.read('raw/a'))?.bytes).toEqual(text('before'));
    expect(await readdir(join(lake.name, '.scratch'))).toEqual([]);
  });
});

it('folder lake between processes gets the lock back when the process that holds it is killed', async ({
  lake,
}) => {
  const etag = await lake.write('state/head.json', text('1'));
  await using child = startChild('hold-lock', lake.name);
  expect(await child.printed()).toBe('held');
  await child.kill();
  await lake.write('state/head.json', text('2'), { match: etag });
  expect(String((await lake.read('state/head.json'))?.bytes)).toBe('2');
});
