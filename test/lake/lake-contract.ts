import { readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConditionFailed, type Lake, type ListedObject } from '#lib/lake/lake.ts';

const text = (words: string) => Buffer.from(words);

export async function listAll(lake: Lake, prefix: string, after?: string): Promise<ListedObject[]> {
  const all: ListedObject[] = [];
  for await (const each of lake.list(prefix, after)) all.push(each);
  return all;
}

/** What every lake keeps, whatever it is on. `withLake` gives each test an empty one. */
export function describeLake(kind: string, withLake: (use: (lake: Lake) => Promise<void>) => Promise<void>) {
  describe(`${kind} keeps the contract of a lake`, () => {
    const it = test.extend<{ readonly lake: Lake }>({
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads there which fixtures this one needs
      lake: async ({}, use) => await withLake(use),
    });

    it('gives back what was put, and undefined for what was not', async ({ lake }) => {
      expect(await lake.read('a/b.json')).toBeUndefined();
      expect(await lake.open('a/b.json')).toBeUndefined();
      const etag = await lake.write('a/b.json', text('hello'));
      expect(await lake.read('a/b.json')).toEqual({ bytes: text('hello'), etag });
      expect(await lake.read('a/c.json')).toBeUndefined();
    });

    it('reads ranges of an object, and not beyond its end', async ({ lake }) => {
      await lake.write('a/b', text('0123456789'));
      const reader = await lake.open('a/b');
      expect(reader?.size).toBe(10);
      expect(await reader?.read(3, 4)).toEqual(text('3456'));
      expect(await reader?.read(3, 0)).toEqual(text(''));
      await expect(reader?.read(8, 4)).rejects.toThrow();
      await reader?.close();
    });

    it('puts only on the condition asked for', async ({ lake }) => {
      await expect(lake.write('k', text('0'), { match: '"x"' })).rejects.toThrow(ConditionFailed);
      const first = await lake.write('k', text('1'), { absent: true });
      await expect(lake.write('k', text('2'), { absent: true })).rejects.toThrow(ConditionFailed);
      const second = await lake.write('k', text('2'), { match: first });
      await expect(lake.write('k', text('3'), { match: first })).rejects.toThrow(
        expect.objectContaining({ key: 'k' }),
      );
      expect(await lake.read('k')).toEqual({ bytes: text('2'), etag: second });
    });

    it('moves a file in from scratch, and leaves it there where the condition fails', async ({ lake }) => {
      await using scratch = await lake.scratch();
      const path = join(scratch.path, 'part.parquet');
      await writeFile(path, 'one');
      await lake.moveIn('tables/t/part.parquet', path, { absent: true });
      expect(await readdir(scratch.path)).toEqual([]);
      await writeFile(path, 'two');
      await expect(lake.moveIn('tables/t/part.parquet', path, { absent: true })).rejects.toThrow(
        ConditionFailed,
      );
      expect(await readdir(scratch.path)).toEqual(['part.parquet']);
      expect((await lake.read('tables/t/part.parquet'))?.bytes).toEqual(text('one'));
    });

    it('gives local copies in the order asked for, below its folders, and never an old one', async ({
      lake,
    }) => {
      const keys = ['t/pass-1/batch-2', 't/pass-0/batch-1', 't/pass-1/batch-2'];
      for (const key of keys) await lake.write(key, text(key));
      const paths = await lake.localPaths(keys);
      expect(paths.map((path) => readFileSync(path, 'utf8'))).toEqual(keys);
      for (const [index, path] of paths.entries()) {
        expect(path.endsWith(`/${keys[index]}`)).toBe(true);
        expect(lake.folders.some((folder) => path.startsWith(`${folder}/`))).toBe(true);
      }
      await lake.write('t/pass-0/batch-1', text('new'));
      const [again = ''] = await lake.localPaths(['t/pass-0/batch-1']);
      expect(readFileSync(again, 'utf8')).toBe('new');
    });

    it('lists in the order of keys, without its own files', async ({ lake }) => {
      await using _scratch = await lake.scratch();
      const keys = [...'a-b/x a/x a/y/z a.b state/head.json tables/t/1 tables/t/10 tables/t/2'.split(' ')];
      for (const key of keys.toReversed()) await lake.write(key, text(key));
      const listed = async (prefix: string, after?: string) =>
        (await listAll(lake, prefix, after)).map(({ key }) => key);
      expect(await listed('')).toEqual(keys.toSorted());
      expect(await listed('tables/t/1')).toEqual(['tables/t/1', 'tables/t/10']);
      expect(await listed('a')).toEqual(['a-b/x', 'a.b', 'a/x', 'a/y/z']);
      expect(await listed('none/')).toEqual([]);
      for (const after of ['a', 'a/', 'a/x', 'a/y/z', 'a0', 'tables/t', 'tables/t/10', 'z'])
        expect(await listed('', after)).toEqual(keys.toSorted().filter((key) => key > after));
      expect(await listed('tables/', 'tables/t/1')).toEqual(['tables/t/10', 'tables/t/2']);
      const [head] = await listAll(lake, 'state/');
      expect(head).toMatchObject({ key: 'state/head.json', size: 15 });
    });

    it('removes what is there', async ({ lake }) => {
      await lake.remove(['never/there']);
      await lake.remove([]);
      await lake.write('tables/t/run=1/part', text('1'));
      await lake.write('tables/u/run=1/part', text('1'));
      await lake.remove(['tables/t/run=1/part', 'tables/t/run=1/part', 'tables/t/run=2/part']);
      expect((await listAll(lake, 'tables/')).map(({ key }) => key)).toEqual(['tables/u/run=1/part']);
      await lake.write('tables/t/run=1/part', text('2'));
      expect((await lake.read('tables/t/run=1/part'))?.bytes).toEqual(text('2'));
    });

    it('lets one of many racing puts alone succeed', async ({ lake }) => {
      const racing = await Promise.allSettled(
        Array.from({ length: 16 }, (_, racer) => lake.write('race', text(String(racer)), { absent: true })),
      );
      expect(racing.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const each of racing) {
        if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(ConditionFailed);
      }
    });

    it.for(['', '/etc/passwd', '../x', 'a/../../x', 'a//b', 'a/', './a', 'a/./b', 'a\0b'])(
      'refuses the key %j',
      async (key, { lake }) => {
        await expect(lake.write(key, text('x'))).rejects.toThrow('is no key of a lake');
        await expect(lake.read(key)).rejects.toThrow('is no key of a lake');
      },
    );
  });
}
