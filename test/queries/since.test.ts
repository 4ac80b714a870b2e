import { expect, it } from 'vitest';
import { parseKey } from '#lib/lake/keys.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { notKnown } from '#lib/views/not-known.ts';
import { openTables, quarterBefore } from '#lib/views/open-tables.ts';
import { told } from '#lib/views/sentence.ts';
import { exportLab, SIGNAGE_ALONE } from '../support/export-lab.ts';

it('tables that are opened since a date fetch no file of an earlier one, but of runs', {
  timeout: 120_000,
}, async () => {
  await using lab = await exportLab({ players: 5 }, SIGNAGE_ALONE);
  for (const day of ['10', '11', '12']) await lab.run(`2026-11-${day}T03:00:00Z`);
  const fetched = new Set<string>();
  const lake: Lake = {
    ...lab.lake,
    localPaths: async (keys) => {
      for (const key of keys) {
        const parsed = parseKey(key);
        if (parsed?.kind === 'table')
          fetched.add(`${parsed.table === 'runs' ? 'runs' : 'others'} ${parsed.exportDate}`);
      }
      return await lab.lake.localPaths(keys);
    },
  };
  await using tables = await openTables(lake, { since: '2026-11-12' });
  expect([...fetched].sort()).toEqual([
    'others 2026-11-12',
    'runs 2026-11-10',
    'runs 2026-11-11',
    'runs 2026-11-12',
  ]);
  const [[days, runs] = []] = (
    await tables.query(
      'select (select count(distinct export_date) from screens_daily), (select max(runs) from export_health)',
    )
  ).rows;
  expect([Number(days), Number(runs)]).toEqual([1, 3]);
});

it('what was not answered since then is not said to have never been answered', {
  timeout: 120_000,
}, async () => {
  await using lab = await exportLab({ players: 5 }, SIGNAGE_ALONE);
  await lab.run('2026-11-10T03:00:00Z');
  await lab.simulator.setFaults('denied:1@resource=licenses');
  await lab.run('2026-11-11T03:00:00Z');
  const said = async (since?: string) => {
    await using tables = await openTables(lab.lake, since === undefined ? {} : { since });
    return [...(await notKnown(tables)).values()]
      .flat()
      .map((each) => told(each))
      .join(' ');
  };
  expect(await said()).toContain('last answered on 2026-11-10');
  expect(await said('2026-11-11')).toContain('not answered since 2026-11-11');
});

it('a quarter of a year is 91 days', () => {
  expect(quarterBefore('2026-03-01')).toBe('2025-11-30');
});
