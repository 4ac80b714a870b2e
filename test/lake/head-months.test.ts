import { describe, expect } from 'vitest';
import { commitHead, type Head, readHead, readRunHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { head } from '../support/head.ts';
import { itWithLake as it } from '../support/temporary-lake.ts';

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
