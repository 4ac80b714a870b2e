import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Lake } from '#lib/lake/lake.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { viewLab } from '../queries/view-lab.ts';

const DAYS = ['16', '17', '18', '19', '20', '21', '22'].map((day) => `2026-11-${day}`);

let lab: Awaited<ReturnType<typeof viewLab>>;
beforeAll(async () => {
  lab = await viewLab();
  for (const [index, day] of DAYS.entries()) {
    await lab.run(`${day}T03:00:00Z`, {
      players: [{ Id: 1, LastAccess: `${day}T02:00:00Z` }],
      // From the fourth day on a screen has a column more.
      screens: { 1: [{ Id: 1, IsOn: index % 2 === 0, ...(index > 2 && { Version: `v${index}` }) }] },
      licenses: [{ Type: 'Pro', TotalCount: 9, AvailableCount: index }],
    });
  }
});
afterAll(() => lab[Symbol.asyncDispose]());

/** The answers of a query on a lake elsewhere, and on one in a folder, and the fetched days of screens. */
async function asked(sql: string) {
  const keys: string[] = [];
  const elsewhere: Lake = {
    ...lab.lake,
    copies: { room: async () => 0, drop: async () => {} },
    localPaths: async (wanted) => {
      keys.push(...wanted);
      return await lab.lake.localPaths(wanted);
    },
  };
  using tables = await openTables(elsewhere, { sql });
  const { rows } = await tables.query(sql);
  using here = await openTables(lab.lake, { sql });
  const of = keys.filter((key) => key.startsWith('tables/screens/'));
  expect(new Set(of).size).toBe(of.length);
  const days = of.flatMap((key) => /export_date=2026-11-(\d\d)/.exec(key)?.[1] ?? []);
  return { rows, same: (await here.query(sql)).rows, days: days.toSorted() };
}

// The newest day of each set of columns is always fetched: DuckDB plans by it.
const PLANNED = ['18', '22'];
const daysWith = (...days: string[]) => [...new Set([...PLANNED, ...days])].toSorted();

describe('of a lake elsewhere a query fetches the days that it reads', () => {
  it.each([
    ["export_date = '2026-11-20'", ['20'], 1],
    ["export_date in ('2026-11-16', '2026-11-21')", ['16', '21'], 2],
    ["export_date between '2026-11-16' and '2026-11-17'", ['16', '17'], 2],
    ['export_date = (select max(export_date) from screens_daily)', DAYS.map((day) => day.slice(-2)), 1],
    ["cast(export_date as date) = date '2026-11-17'", DAYS.map((day) => day.slice(-2)), 1],
    ["version = 'v3'", ['19', '20', '21', '22'], 1],
    ['true', DAYS.map((day) => day.slice(-2)), 7],
  ])('where %s', async (where, days, count) => {
    const said = await asked(`select export_date, is_on from screens_daily s where ${where} order by 1`);
    expect(said.rows).toEqual(said.same);
    expect(said.rows).toHaveLength(count);
    expect(said.days).toEqual(daysWith(...days));
  });

  it('a join, a CTE and an aggregate answer as those of a lake in a folder', async () => {
    for (const sql of [
      'select count(*), min(version) from screens_daily join players_daily using (export_date, player_id)',
      "with s as (select * from screens_daily where export_date > '2026-11-20') select export_date, count(*) from s group by 1 order by 1",
      'select export_date, players from daily_trend order by all',
    ]) {
      const { rows, same } = await asked(sql);
      expect(rows, sql).toEqual(same);
    }
  });
});
