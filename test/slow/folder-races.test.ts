import { describe, expect, it } from 'vitest';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { startChild, temporaryFolder } from '../support/lake-children.ts';

describe('folder lake between processes', () => {
  it('loses no increment of one key to a race', async () => {
    await using folder = await temporaryFolder();
    const children = Array.from({ length: 6 }, () => startChild('increment', folder.path, '50'));
    const ends = await Promise.all(children.map((child) => child.end()));
    expect(ends.map(({ code }) => code)).toEqual(children.map(() => 0));
    expect(String((await folderLake(folder.path).read('state/head.json'))?.bytes)).toBe('300');
    expect(ends.reduce((sum, { output }) => sum + Number(output), 0)).toBeGreaterThan(0);
  });

  it('lets one process alone put where a key is absent', async () => {
    await using folder = await temporaryFolder();
    const children = Array.from({ length: 6 }, () => startChild('put-absent', folder.path, '50'));
    const ends = await Promise.all(children.map((child) => child.end()));
    const won = ends.flatMap(({ output }) => JSON.parse(output) as string[]);
    expect(won).toHaveLength(50);
    expect(new Set(won).size).toBe(50);
  });
});
