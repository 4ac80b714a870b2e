import { beforeAll, describe, expect, it } from 'vitest';
import { type ExportLab, exportLab } from '../support/export-lab.ts';
import { tablesAsText } from '../support/same-tables.ts';

const DAY_1 = '2026-11-20T03:00:00Z';
const DAY_2 = '2026-11-21T03:00:00Z';
const PLAYERS = 401;
const CONCURRENCY = 16;
const BACKUP_CONCURRENCY = 2;

/** The clock stands still, so that what differs on day 2 is what went wrong. */
async function firstDay(settings: object = {}): Promise<ExportLab> {
  const lab = await exportLab(
    { players: PLAYERS, seed: 21 },
    { signage: settings, backup: { concurrency: BACKUP_CONCURRENCY } },
  );
  await lab.run(DAY_1);
  lab.simulator.stats.reset();
  return lab;
}

describe('400 players under faults', () => {
  let undisturbed: Awaited<ReturnType<typeof tablesAsText>>;
  beforeAll(async () => {
    await using lab = await firstDay();
    await lab.run(DAY_2);
    undisturbed = await tablesAsText(lab.lake);
  });

  it('500, reset, truncate and 429: complete, every record as it is, concurrency kept', async () => {
    await using lab = await firstDay({ concurrency: CONCURRENCY });
    await lab.simulator.setFaults('500:0.05,reset:0.02,truncate:0.02,429');
    const { status, sources, retries } = await lab.run(DAY_2);
    expect(sources.map(({ error }) => error)).toEqual([undefined, undefined]);
    expect(status).toBe('complete');
    expect(retries).toBeGreaterThan(40);
    expect(await tablesAsText(lab.lake)).toEqual(undisturbed);
    const { maxInFlight } = lab.simulator.stats;
    expect(maxInFlight).toBeLessThanOrEqual(CONCURRENCY + BACKUP_CONCURRENCY);
  });

  it('2 % gone and 1 % denied: partial, exactly those, nothing else removed', async () => {
    await using lab = await firstDay();
    await lab.simulator.setFaults('gone:0.02,denied:0.01');
    const [gone, denied] = [lab.simulator.parentsMeeting('gone'), lab.simulator.parentsMeeting('denied')];
    const { status } = await lab.run(DAY_2);
    expect(status).toBe('partial');
    const parentsOf = (outcome: string) =>
      lab.flat(
        `select distinct parent_id::int from outcomes where outcome = '${outcome}' and resource <> 'backup_slots' order by 1`,
      );
    const isPlayer = (id: number) => lab.simulator.world.at(0).listing('screens', id) !== undefined;
    const players = (ids: Iterable<number>) => [...ids].filter(isPlayer).sort((a, b) => a - b);
    expect(await parentsOf('gone')).toEqual(players(gone));
    // A parent that meets both is gone: the first fault of the spec answers.
    const onlyDenied = players(denied).filter((id) => !gone.has(id));
    expect(await parentsOf('denied')).toEqual(onlyDenied);
    expect(onlyDenied.length).toBeGreaterThan(1);
    const rowsOf = (ids: readonly number[], from: string) =>
      lab.flat(`select count(*) from ${from}' and player_id::int in (${ids})`);
    const before = await rowsOf(onlyDenied, "screens_daily where export_date = '2026-11-20");
    const of = (run: string) => `screens where export_run_id = '${run}`;
    expect(await rowsOf(onlyDenied, of('20261120T030000Z')), 'carried forward').toEqual(before);
    expect(await rowsOf(players(gone), of('20261121T030000Z'))).toEqual([0]);
    const removed = await lab.rows(`
      select distinct reason, split_part(record_key, '/', 1) as parent
      from changes where change = 'removed' and table_name in ('screens', 'pending_file_transfers')`);
    expect(new Set(removed.map(({ reason }) => reason))).toEqual(new Set(['gone']));
    for (const { parent } of removed) expect(gone.has(Number(parent))).toBe(true);
    const others = await lab.flat(`
      select count(*) from changes
      where change <> 'removed' or table_name not in ('screens', 'pending_file_transfers', 'backup_slots')`);
    expect(others).toEqual([0]);
  });
});
