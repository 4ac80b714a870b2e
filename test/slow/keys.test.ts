import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { signage } from '#lib/sources/signage.ts';
import { exportLab } from '../support/export-lab.ts';

/** `player_health ||--o{ screen_status : player_key` of the diagram in docs/read/bi.md. */
const RELATION = /^ {2}(\w+) \|\|--o\{ (\w+) : (\w+)$/gm;

it('the diagram of docs/read/bi.md joins views by keys of one column, each row of many with one', async () => {
  const page = await readFile(new URL('../../docs/read/bi.md', import.meta.url), 'utf8');
  const relations = [...page.matchAll(RELATION)].map(([, one = '', many = '', key = '']) => ({
    one,
    many,
    key,
  }));
  expect(relations.length).toBeGreaterThan(10);
  // Both fleets have the same ids.
  const { basePath } = signage.defaults;
  const fleets = { berlin: { basePath }, munich: { basePath } };
  await using lab = await exportLab({ players: 12, seed: 3 }, { fleets, config: { groups: ['City'] } });
  // Nobody leaves from one day to the other, so each row has its one.
  for (const date of ['2026-11-20', '2026-11-21']) await lab.run(`${date}T03:00:00Z`);
  for (const { one, many, key } of relations) {
    const [found] = await lab.rows(`
      select
        (select count(*) - count(distinct ${key}) from ${one}) as repeated,
        (select count(*) from ${many} where ${key} is not null) as rows,
        (select count(*) from ${many} join ${one} using (${key})) as joined`);
    const { rows, joined, repeated } = found ?? {};
    expect([one, many, repeated]).toEqual([one, many, 0]);
    expect([one, many, joined]).toEqual([one, many, rows]);
    expect([one, many, Number(rows) > 0]).toEqual([one, many, true]);
  }
});
