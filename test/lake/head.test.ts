import { describe, expect } from 'vitest';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { commitHead, type Head, readHead, readRunHead } from '#lib/lake/head.ts';
import { ConditionFailed, type Lake } from '#lib/lake/lake.ts';
import { whyOlder } from '#lib/lake/newer-head.ts';
import { head, storedHead } from '../support/head.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { itWithLake as it } from '../support/temporary-lake.ts';

const first = head();
const { screens } = first.tables;
const second = head({ runId: '20261122T030000Z', previous: first.runId, status: 'partial' });
const stored = storedHead(first);
const fenced = expect.objectContaining({ code: 'COMMIT_FENCED' });

describe('head', () => {
  it('is fenced from every commit but that of the run which read it last', async ({ lake }) => {
    await expect(commitHead(lake, second, 'never')).rejects.toThrow(fenced);
    const etag = await commitHead(lake, first, undefined);
    await expect(commitHead(lake, second, undefined)).rejects.toThrow(fenced);
    await commitHead(lake, second, etag);
    await expect(commitHead(lake, head({ status: 'failed' }), etag)).rejects.toThrow(fenced);
    expect((await readHead(lake))?.head).toEqual(second);
    expect(await readRunHead(lake, first.runId)).toEqual(first);
  });

  it('is committed where the put succeeded and its answer was lost', async ({ lake }) => {
    const lossy: Lake = {
      ...lake,
      write: async (key, bytes, condition) => {
        const etag = await lake.write(key, bytes, condition);
        if (condition !== undefined) throw new ConditionFailed(key);
        return etag;
      },
    };
    const etag = await commitHead(lossy, first, undefined);
    expect(await readHead(lake)).toEqual({ head: first, etag });
  });

  it('that was lost is missed, and no run begins', async ({ lake }) => {
    await commitHead(lake, second, await commitHead(lake, first, undefined));
    await lake.remove(['state/head.json', `state/runs/${second.runId}/head.json`]);
    await expect(readHead(lake)).rejects.toThrow(
      expect.objectContaining({ code: 'HEAD_MISSING', message: expect.stringContaining('`recover`') }),
    );
  });

  it('of a first commit that died before it was done is none: the next run begins', async ({ lake }) => {
    const dying: Lake = {
      ...lake,
      write: async (key, bytes, condition) => {
        if (condition !== undefined) throw new Error('killed');
        return await lake.write(key, bytes);
      },
    };
    await expect(commitHead(dying, first, undefined)).rejects.toThrow('killed');
    expect(await readHead(lake)).toBeUndefined();
  });

  it.for<readonly [text: string, fault: string]>([
    ['', 'it is not JSON'],
    [JSON.stringify(stored).slice(0, -20), 'it is not JSON'],
    ['null', 'it: Invalid input: expected object, received null'],
    [JSON.stringify({ ...stored, version: 0 }), 'version: Invalid option: expected one of 2|3'],
    [JSON.stringify({ ...stored, attempt: '1' }), 'attempt: Invalid input: expected number, received string'],
    [
      JSON.stringify({ ...stored, tables: { screens: { dates: {} } } }),
      'tables.screens.newest: these are not the files of a date',
    ],
    ...[
      { '2026-11-20': { run: '20261120T030000Z', parts: [0] } },
      { today: { run: '20261120T030000Z.1', parts: [0] } },
    ].map((dates): [string, string] => [
      JSON.stringify({ ...stored, tables: { screens: { ...screens, dates } } }),
      'tables.screens.dates: these are not the files of dates',
    ]),
  ])('that is damaged (%j) says where and how to mend it', async ([text, fault], { lake }) => {
    await lake.write('state/head.json', Buffer.from(text));
    await expect(readHead(lake)).rejects.toThrow(
      expect.objectContaining({
        code: 'HEAD_CORRUPT',
        message: `${lake.name}/state/head.json is damaged: ${fault}. Let \`recover\` put back the newest copy that is whole; the tables are unharmed.`,
      }),
    );
  });

  it('of a later version is called so, and not damaged: no cure puts an older one in its place', async ({
    lake,
  }) => {
    await commitHead(lake, first, undefined);
    const stored = (await lake.read('state/head.json'))?.bytes.toString() ?? '';
    const later = Buffer.from(stored.replace('"version":3', '"version":4'));
    await lake.write('state/head.json', later);
    const refused = {
      code: 'LAKE_NEWER',
      message: `${lake.name}/state/head.json is of version 4, and this program knows versions up to 3: a later one wrote this lake. Install that one, or name another lake with --lake; nothing is damaged.`,
    };
    await expect(readHead(lake)).rejects.toThrow(expect.objectContaining(refused));
  });
});

const DAY_MS = 24 * 3_600_000;
const dayOf = (days: number) => new Date(Date.parse('2022-01-01') + days * DAY_MS).toISOString().slice(0, 10);

/** A head of so many days before its own, each with the files of 12 tables. */
function headOfDays(days: number, given: Partial<Head> = {}): Head {
  const run = (date: string) => `${date.replaceAll('-', '')}T030000Z.1`;
  const dates = Array.from({ length: days }, (_, day) => dayOf(day));
  const last = dates.at(-1) ?? '';
  const table = {
    newest: { date: last, run: run(last), parts: [0] },
    dates: Object.fromEntries(dates.map((date) => [date, { run: run(date), parts: [0] }])),
  };
  const tables = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`table_${index}`, table]));
  return head({
    exportDate: last,
    runId: run(last).slice(0, -2),
    committedAt: `${last}T03:05:00.000Z`,
    tables,
    ...given,
  });
}

async function commit(lake: Lake, next: Head): Promise<void> {
  await commitHead(lake, next, (await readHead(lake))?.etag);
}

async function months(lake: Lake): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of lake.list('state/months/')) keys.push(key);
  return keys;
}

const copySize = async (lake: Lake, { runId }: Head) =>
  (await lake.read(`state/runs/${runId}/head.json`))?.bytes.length ?? 0;

describe('months of a head', () => {
  it('are files that heads share: a copy is as large after five years as after two months', async ({
    lake,
  }) => {
    const [young, old] = [headOfDays(59), headOfDays(1_826)];
    await commit(lake, young);
    await commit(lake, old);
    expect((await readHead(lake))?.head).toEqual(old);
    expect(await readRunHead(lake, young.runId)).toEqual(young);
    // 60 months, of which each takes its name and a hash.
    expect(await copySize(lake, old)).toBeLessThan((await copySize(lake, young)) + 60 * 40 + 3 * 12 * 60);
    const before = await months(lake);
    expect(before).toHaveLength(59);
    await commit(lake, headOfDays(1_826, { attempt: 2 }));
    expect(await months(lake)).toEqual(before);
  });

  it.for<readonly [fault: string, text: string | undefined]>([
    ['gone', undefined],
    ['damaged', '{"licenses":'],
    ['damaged', '{"licenses":{"today":{}}}'],
  ])(
    'that are %s (%j) are named, and a run before them can be rolled back to',
    async ([fault, text], { lake }) => {
      const [young, old] = [headOfDays(20), headOfDays(40, { sources: [fault, String(text)] })];
      await commit(lake, young);
      await commit(lake, old);
      const [key = ''] = await months(lake);
      if (text === undefined) await lake.remove([key]);
      else await lake.write(key, Buffer.from(text));
      const message = `${lake.name}/${key} is ${fault}. Let \`recover\``;
      // Another process: this one has read it.
      const { readHead: anew } = await freshReader();
      await expect(anew(lake)).rejects.toThrow(
        expect.objectContaining({ code: 'HEAD_CORRUPT', message: expect.stringContaining(message) }),
      );
      expect(await readRunHead(lake, young.runId)).toEqual(young);
    },
  );
});

async function freshReader(): Promise<typeof import('#lib/lake/head.ts')> {
  const { vi } = await import('vitest');
  vi.resetModules();
  return await import('#lib/lake/head.ts');
}

const RUNS = ['20261120T030000Z', '20261121T030000Z', '20261122T030000Z'];
const HEADS = RUNS.map((runId, index) => head({ runId, attempt: index + 1 }));
const [one, two, three] = HEADS as [Head, Head, Head];

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

const back = { ...one, attempt: 9 };
it.each([
  ['is the newest', HEADS, [], undefined],
  ['is one that was rolled back to', [...HEADS, back], [], undefined],
  ['was put back alone', HEADS, ['state/head.json'], three.runId],
  ['was put back with all that says which was the last', HEADS, NAMES.slice(0, 2), three.runId],
  ['was put back from before a repair of its run', [one, back], NAMES.slice(0, 2), one.runId],
  ['was put back from before a rollback', [two, three, back], ['state/head.json'], one.runId],
] as const)('a head that %s', async (_, heads, restored, newest) => {
  await using lab = await committed(heads);
  await lab.restore(...restored);
  expect(await newerIn(lab.lake)).toBe(newest);
});
