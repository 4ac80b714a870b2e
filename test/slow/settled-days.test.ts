import { expect, it } from 'vitest';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews } from '#lib/views/view-file.ts';
import { sourceOf, vaultSourceOf } from '../truth/exported.ts';
import { clocksOf } from '../truth/local-time.ts';
import { followRuns } from '../truth/truth-lab.ts';
import { vaultOf } from '../truth/vault.ts';
import { runTimes, worldOf } from '../truth/world.ts';

/** `SETTLED_LABS=41,21011 TEST_TIER=slow npx vitest run test/slow/settled-days.test.ts` */
const LABS = (process.env['SETTLED_LABS'] ?? '21011,5').split(',').map(Number);
const ZONES = ['Europe/Berlin', 'UTC', 'America/New_York'] as const;
/** Slack for sums of hours. */
const EPSILON = 0.001;

type Cells = Readonly<Record<string, unknown>>;

/** What a later run takes back of a day's hours. What nobody knew may become known, and what a run saw may be lost. */
function takenBack(before: Cells, after: Cells): readonly string[] {
  const fall = (...columns: readonly string[]) =>
    columns.reduce((sum, column) => sum + Number(before[column] ?? 0) - Number(after[column] ?? 0), 0);
  const known = 'known_hours' in after ? fall('known_hours') : fall('on_hours', 'off_hours');
  const [all, off] = [known + fall('unknown_hours'), fall('off_hours')];
  return [
    ...(all > EPSILON ? [`${all} hours are gone`] : []),
    ...(off > Math.max(known, 0) + EPSILON ? [`${off} hours of outage are gone`] : []),
  ];
}

it.each(LABS)(
  'a run changes nothing that is known of the days before the last run, also where sources leave the config: lab %i',
  async (lab) => {
    const times = runTimes(lab);
    const seeds = Array.from({ length: 8 }, (_, index) => lab * 100 + index);
    const worlds = seeds.map((seed) => worldOf(seed, times));
    const vaults = seeds.map((seed) => vaultOf(seed, times));
    const leavers = [...worlds.slice(4).map(sourceOf), ...vaults.slice(4).map(vaultSourceOf)];
    const exported = { worlds, vaults, leavers };
    const timeZone = ZONES[lab % ZONES.length] ?? 'UTC';
    const clocks = clocksOf(timeZone);
    const views = (await readViews(QUERIES)).filter(({ key }) => key.includes('export_date'));
    const changed: string[] = [];
    let last = '';
    let known = new Map<string, Cells>();
    await followRuns(exported, timeZone, async (at, tables) => {
      const rows = new Map<string, Cells>();
      for (const { name: view, key } of views) {
        const { columns, rows: told } = await tables.query(`select * from ${view}`);
        for (const row of told) {
          const cells = Object.fromEntries(columns.map((name, index) => [name, row[index]]));
          rows.set([view, ...key.map((column) => cells[column])].join(' '), cells);
        }
      }
      for (const [name, before] of known) {
        if (String(before['export_date']) >= last) continue;
        const after = rows.get(name);
        if (after === undefined) changed.push(`${name} is gone`);
        else if ('unknown_hours' in after)
          changed.push(...takenBack(before, after).map((what) => `${name}: ${what}`));
        else if (JSON.stringify(after) !== JSON.stringify(before)) changed.push(`${name} is another`);
      }
      known = rows;
      last = clocks.dayOf(at);
    });
    expect(known.size).toBeGreaterThan(300);
    expect(changed).toEqual([]);
  },
);
