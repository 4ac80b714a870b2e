import { expect, it } from 'vitest';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { commitHead, type Head, readHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { whyOlder } from '#lib/lake/newer-head.ts';
import { head } from '../support/head.ts';
import { temporaryFolder } from '../support/lake-children.ts';

const RUNS = ['20261120T030000Z', '20261121T030000Z', '20261122T030000Z'];
const HEADS = RUNS.map((runId, index) => head({ runId, attempt: index + 1 }));
const [first, second, third] = HEADS as [Head, Head, Head];

const NAMES = ['head', 'next-head', 'lease'].map((name) => `state/${name}.json`);

/** A lake with these commits, and what its files of state were after the first of them. */
async function committed(heads: readonly Head[]) {
  const folder = await temporaryFolder();
  const lake = folderLake(folder.path);
  const backup = new Map<string, Buffer>();
  for (const each of heads) {
    await commitHead(lake, each, (await readHead(lake))?.etag);
    if (backup.size > 0) continue;
    for (const key of NAMES) {
      const object = await lake.read(key);
      if (object !== undefined) backup.set(key, object.bytes);
    }
  }
  const restore = async (...keys: readonly string[]) => {
    for (const key of keys) await lake.write(key, backup.get(key) ?? Buffer.from('{}'));
  };
  return { lake, restore, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

async function newerIn(lake: Lake): Promise<string | undefined> {
  const stored = await readHead(lake);
  if (stored === undefined) throw new Error('nothing is committed');
  return /[Tt]he last commit was of run (\w+)/.exec((await whyOlder(lake, stored)) ?? '')?.[1];
}

const back = { ...first, attempt: 9 };
it.each([
  ['is the newest', HEADS, [], undefined],
  ['is one that was rolled back to', [...HEADS, back], [], undefined],
  ['was put back alone', HEADS, ['state/head.json'], third.runId],
  ['was put back with all that says which was the last', HEADS, NAMES.slice(0, 2), third.runId],
  ['was put back from before a repair of its run', [first, back], NAMES.slice(0, 2), first.runId],
  [
    'was put back from before a rollback',
    [second, third, { ...first, attempt: 9 }],
    ['state/head.json'],
    first.runId,
  ],
] as const)('a head that %s', async (_, heads, restored, newest) => {
  await using lab = await committed(heads);
  await lab.restore(...restored);
  expect(await newerIn(lab.lake)).toBe(newest);
});
