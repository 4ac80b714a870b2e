import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readHead } from '#lib/lake/head.ts';
import { publish } from '#lib/publish/publish.ts';
import { applyType } from '#lib/repair/apply-type.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { cliHere, placesOf } from '../cli/support.ts';
import { labConfig, SIGNAGE_ALONE } from '../support/export-lab.ts';
import { type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { fleetRoutes } from '../support/fleet-routes.ts';
import { expectOneTypeAColumn } from '../support/one-type.ts';
import { operatorOf } from '../support/runs.ts';
import { type DuckDbStage, HUGE, TIGHT_MIB, tightRun } from '../support/tight-run.ts';

/** The sources. Only a group of `hostile` has a text that is too large for some stage. */
const NAMES = ['berlin', 'hostile', 'paris'] as const;
const IDS = [1, 2, 3, 4];
const DAYS = ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z', '2026-11-22T03:00:00Z'] as const;

interface Day {
  /** What players, screens and groups say. */
  readonly state: string;
  readonly text?: string;
  /** JSON texts, of each source or of all. */
  readonly totals?: readonly string[];
  readonly ofBerlin?: readonly string[];
}

function routesOf({ state, text = '', totals = ['1', '1', '1', '1'], ofBerlin = totals }: Day): Routes {
  const ofSources = NAMES.map((name) => {
    const api = `/${name}${SIGNAGE}`;
    const groups = (name === 'berlin' ? ofBerlin : totals).map((total, index) => {
      const note = name === 'hostile' && index === 0 ? text : '';
      return `{"Id":${index},"State":"${state}","Pin":"canary-1","Pin":"canary-2","Total":${total},"Note":"${note}"}`;
    });
    const players = IDS.map((Id) => ({ Id, Name: `${state} ${name} ${Id}` }));
    const fleet = fleetRoutes(players, (id) => [{ Id: id * 10, State: state }], api);
    return { ...fleet, [`${api}/AppGroups`]: { body: `[${groups.join(',')}]` } };
  });
  return Object.assign({}, ...ofSources);
}

interface Tight {
  readonly stages?: readonly DuckDbStage[];
  /** A first try of each unit has room, and is killed as it notes that its files are there. */
  readonly isTriedBefore?: boolean;
  /** Bytes of raw that a piece of work may copy, where the disk and not the memory is what is small. */
  readonly disk?: number;
}

/** A lake of three sources that drop these fields of their groups. */
async function labOf(...drop: readonly string[]) {
  const settings = (fields: readonly string[]) => {
    const own = { resources: { app_groups: { drop: fields } } };
    return { ...SIGNAGE_ALONE, fleets: Object.fromEntries(NAMES.map((name) => [name, own])) };
  };
  const lab = await signageLab({}, settings(drop));
  let { config } = lab;
  const rows = async (sql: string) => {
    using tables = await openTables(lab.lake);
    return (await tables.query(sql)).rows;
  };
  return {
    ...lab,
    rows,
    drop: (...fields: readonly string[]) => {
      config = labConfig(lab.server.url, settings(fields));
    },
    run: (scheduledTime: string, day: Day, { stages = [], isTriedBefore, disk }: Tight = {}) => {
      lab.answer(routesOf(day));
      const copies = disk && { copies: { room: async () => disk, drop: async () => {} } };
      const lake = { ...lab.lake, ...copies };
      return tightRun({
        ...{ lake, config, scheduledTime, tight: stages },
        ...(isTriedBefore && { beforeUnit: killed }),
      });
    },
    runs: () =>
      rows("select export_date, export_source, status, error_code from runs where status <> 'complete'"),
    rejects: () => rows('select export_source, record_key, raw_value, reason from rejects order by all'),
  };
}

/** Publishes a unit, and is killed before that is noted. */
async function killed(event: unknown, services: ApiServices): Promise<void> {
  const write = () => Promise.reject(new Error('killed'));
  await expect(publish(event, { ...services, lake: { ...services.lake, write } })).rejects.toThrow('killed');
}

test.each<readonly [string, Tight]>([
  ['plan has no memory', { stages: ['Plan'] }],
  ['publish has no memory', { stages: ['PublishUnit'] }],
  ['publish has no memory in its second try', { stages: ['PublishUnit'], isTriedBefore: true }],
  ['plan has no room on its disk', { disk: 500_000 }],
])(
  'a source is set aside for which %s: its rows stay, all others are committed',
  async (_, tight) => {
    await using lab = await labOf();
    expect(await lab.run(DAYS[0], { state: 'first' })).toMatchObject({ status: 'complete' });
    const hasPins = async () =>
      JSON.stringify(await lab.rows('select * from app_groups_daily')).includes('canary');
    expect(await hasPins()).toBe(true);

    // What is hidden from now on is hidden in the rows that stay, too.
    lab.drop('Pin');
    const text = randomBytes(HUGE / 2).toString('hex');
    const summary = await lab.run(DAYS[1], { state: 'second', text }, tight);
    expect(summary.status).toBe('partial');
    const [berlin, hostile, paris] = summary.sources;
    expect([berlin?.status, paris?.status]).toEqual(['complete', 'complete']);
    const message = expect.stringContaining(tight.disk ? 'no room on the disk of plan' : 'Out of Memory');
    const outcomes = { ok: 5, empty: 5, failed: 1 };
    const error = { code: 'SOURCE_SET_ASIDE', message };
    expect(hostile).toMatchObject({ status: 'failed', error, outcomes });
    expect(await hasPins()).toBe(false);
    const states = () =>
      lab.rows('select export_source, state, count(*) from app_groups group by all order by all');
    const due = { berlin: 'second', hostile: 'first', paris: 'second' };
    expect(await states()).toEqual(Object.entries(due).map((entry) => [...entry, 4]));
    const players = "select count(*) from players where name like 'second%'";
    expect(await lab.rows(players)).toEqual([[4 * NAMES.length]]);
    const failed = "select export_source, resource from outcomes where error_code = 'SOURCE_SET_ASIDE'";
    expect(await lab.rows(failed)).toEqual([['hostile', 'app_groups']]);
    expect(await lab.runs()).toEqual([['2026-11-21', 'hostile', 'failed', 'SOURCE_SET_ASIDE']]);
    const changed = "select distinct export_source from changes where table_name = 'app_groups' order by 1";
    expect(await lab.rows(changed)).toEqual([['berlin'], ['paris']]);

    expect(await lab.run(DAYS[2], { state: 'third' })).toMatchObject({ status: 'complete' });
    expect(await states()).toEqual(NAMES.map((name) => [name, 'third', 4]));
  },
  120_000,
);

describe("history that is written again, and cannot be made from one source's kept answers", () => {
  const text = 'x'.repeat(HUGE);

  test('is made from its cells where a column widens: the run commits all, and says of whom', async () => {
    await using lab = await labOf('Note');
    await lab.run(DAYS[0], { state: 'on', totals: ['10', '20', 'null'], text });
    const totals = ['11', '21', '31'];
    const second = { state: 'on', totals, ofBerlin: ['11.5', '21', '31'] };
    const summary = await lab.run(DAYS[1], second, { stages: ['PublishUnit'] });
    expect(summary.status).toBe('complete');
    const says = expect.stringMatching(/app_groups.*Out of Memory(?!.*values)/);
    const noted = { code: 'HISTORY_SET_ASIDE', source: 'hostile', resource: 'app_groups', says };
    expect(summary.sources.map(({ notes }) => notes)).toEqual([[], [noted], []]);
    // Its rows of the first day are as they were, and those of today are those of today.
    const cells = 'select export_run_id[:8], record_key, total from app_groups_daily';
    const daily = (source: string) => lab.rows(`${cells} where export_source = '${source}' order by all`);
    const rowsOn = (day: string, ...of: readonly (number | null)[]) =>
      of.map((total, index) => [day, String(index), total]);
    const due = [...rowsOn('20261120', 10, 20, null), ...rowsOn('20261121', 11, 21, 31)];
    expect([await daily('hostile'), await daily('paris')]).toEqual([due, due]);
    const typed = "select count(*) from app_groups_daily where typeof(total) <> 'DECIMAL(38,9)'";
    expect(await lab.rows(typed)).toEqual([[0]]);
    await expectOneTypeAColumn(lab.folder);
    const changed =
      "select export_source, old_value, new_value from changes where column_name = 'total' and record_key = '0' order by 1";
    const values = ['11.5', '11', '11'].map((value, index) => [NAMES[index], '10', value]);
    expect(await lab.rows(changed)).toEqual(values);
    const { stdout } = await cliHere('status', ...(await placesOf(lab)));
    expect(stdout).toMatch(/hostile.*HISTORY_SET_ASIDE|HISTORY_SET_ASIDE.*hostile/s);

    const third = await lab.run(DAYS[2], { state: 'on', totals }, { stages: ['PublishUnit'] });
    expect(third.sources.flatMap(({ notes }) => notes)).toEqual([]);
  });

  test('schema apply refuses what its cells would lose, with counts, and does it when that is accepted', async () => {
    await using lab = await labOf('Note');
    await lab.run(DAYS[0], { state: 'on', totals: ['"10"', '"20"', '"n/a"'], text });
    const before = await readHead(lab.lake);
    const services = operatorOf(lab, { memoryLimitMiB: TIGHT_MIB, threads: 1 });
    const wanted = { table: 'app_groups', column: 'total', type: 'bigint' } as const;
    const refusal = /hostile for app_groups cannot be used \(Out of Memory Error\), and 1 values/;
    await expect(applyType(wanted, services)).rejects.toThrow(refusal);
    expect(await readHead(lab.lake)).toEqual(before);

    await applyType({ ...wanted, acceptLoss: true }, services);
    const counts = await lab.rows('select total, count(*) from app_groups_daily group by 1 order by 1');
    expect(counts).toEqual([10, 20, null].map((total) => [total, 3]));
    const lost = (await lab.rejects()).filter((row) => row.at(-1) === 'type');
    expect(lost).toEqual(NAMES.map((name) => [name, '2', 'n/a', 'type']));
  });
});
