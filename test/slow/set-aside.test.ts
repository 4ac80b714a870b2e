import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { publish } from '#lib/publish/publish.ts';
import type { RunSummary } from '#lib/run/summary.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { labConfig, SIGNAGE_ALONE } from '../support/export-lab.ts';
import { type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { type DuckDbStage, HUGE, tightRun } from '../support/tight-run.ts';

const NAMES = ['berlin', 'hostile', 'paris'] as const;
const IDS = [1, 2, 3, 4];

/** Each source's players have a name of the day, and a screen each; its groups have a state of the day. */
function routesOf(day: string, hostile: () => string): Routes {
  const routes: Record<string, { body: string }> = {};
  for (const name of NAMES) {
    const api = `/${name}${SIGNAGE}`;
    const own = (Id: number) => (name === 'hostile' && Id === 1 ? hostile() : '');
    const groups = IDS.map((Id) => ({ Id, State: day, Note: own(Id) }));
    const body = JSON.stringify(groups);
    // The second of two values under one name is in `rejects`.
    const pins = body.replaceAll('"Id":', '"Pin":"canary-1","Pin":"canary-2","Id":');
    routes[`${api}/AppGroups`] = { body: name === 'hostile' ? pins : body };
    const players = IDS.map((Id) => ({ Id, Name: `${day} ${name} ${Id}` }));
    routes[`${api}/Players`] = { body: JSON.stringify(players) };
    for (const Id of IDS) {
      const screens = [{ Id: Id * 10, State: day }];
      routes[`${api}/Players/${Id}/Screens`] = { body: JSON.stringify(screens) };
    }
  }
  return routes;
}

interface Tight {
  readonly stage: DuckDbStage;
  /** A first try of each unit has room, and is killed as it notes that its files are there. */
  readonly triedBefore: boolean;
  /** Bytes of raw that a piece of work may copy, where the disk and not the memory is what is small. */
  readonly disk?: number;
}

describe.each<Tight>([
  { stage: 'Plan', triedBefore: false },
  { stage: 'PublishUnit', triedBefore: false },
  { stage: 'PublishUnit', triedBefore: true },
  { stage: 'Plan', triedBefore: false, disk: 500_000 },
])('$stage sets a source aside, tried before: $triedBefore, bytes of disk: $disk', (tight) => {
  test('whose answers it has no room for; its rows stay, and all others are committed', async () => {
    const settings = (resources: object) => ({ fleets: { berlin: {}, hostile: { resources }, paris: {} } });
    await using lab = await signageLab(
      routesOf('first', () => 'small'),
      settings({}),
    );
    const { lake } = lab;
    let { config } = lab;
    const run = (scheduledTime: string, narrow?: Tight): Promise<RunSummary> =>
      tightRun({
        lake: { ...lake, ...(narrow?.disk && roomFor(narrow.disk)) },
        config,
        scheduledTime,
        tight: narrow === undefined || narrow.disk ? [] : [narrow.stage],
        ...(narrow?.triedBefore && { beforeUnit: killed }),
      });
    const rows = async (sql: string) => {
      using tables = await openTables(lake);
      return (await tables.query(sql)).rows;
    };
    expect(await run('2026-11-20T03:00:00Z')).toMatchObject({ status: 'complete' });

    const pins = async () =>
      (await Promise.all(['app_groups_daily', 'rejects'].map((table) => rows(`select * from ${table}`)))).map(
        (all) => JSON.stringify(all).includes('canary'),
      );
    expect(await pins()).toEqual([true, true]);

    // What is hidden from now on is hidden in the rows that stay, too.
    const hidden = settings({ app_groups: { drop: ['Pin'] } });
    config = labConfig(lab.server.url, { ...SIGNAGE_ALONE, ...hidden });
    lab.answer(routesOf('second', () => randomBytes(HUGE / 2).toString('hex')));
    const summary = await run('2026-11-21T03:00:00Z', tight);
    expect(summary.status).toBe('partial');
    const [berlin, hostile, paris] = summary.sources;
    expect([berlin, paris]).toMatchObject([{ status: 'complete' }, { status: 'complete' }]);
    expect(hostile).toMatchObject({
      status: 'failed',
      error: {
        code: 'SOURCE_SET_ASIDE',
        message: expect.stringContaining(tight.disk ? 'no room on the disk of plan' : 'Out of Memory'),
      },
      outcomes: { ok: 5, empty: 5, failed: 1 },
    });
    expect(await pins()).toEqual([false, false]);
    const states = 'select export_source, state, count(*) as n from app_groups group by all order by all';
    expect(await rows(states)).toEqual([
      ['berlin', 'second', 4],
      ['hostile', 'first', 4],
      ['paris', 'second', 4],
    ]);
    const names =
      "select export_source, count(*) as n from players where name like 'second%' group by all order by 1";
    expect(await rows(names)).toEqual(NAMES.map((name) => [name, 4]));
    const failed =
      "select export_source, resource, count(*) as n from outcomes where error_code = 'SOURCE_SET_ASIDE' group by all";
    expect(await rows(failed)).toEqual([['hostile', 'app_groups', 1]]);
    expect(
      await rows(
        "select export_source, status, error_code from runs where export_run_id = '20261121T030000Z' order by 1",
      ),
    ).toEqual([
      ['berlin', 'complete', null],
      ['hostile', 'failed', 'SOURCE_SET_ASIDE'],
      ['paris', 'complete', null],
    ]);
    expect(
      await rows("select distinct export_source from changes where table_name = 'app_groups' order by 1"),
    ).toEqual([['berlin'], ['paris']]);

    lab.answer(routesOf('third', () => 'small again'));
    expect(await run('2026-11-22T03:00:00Z')).toMatchObject({ status: 'complete' });
    expect(await rows(states)).toEqual(NAMES.map((name) => [name, 'third', 4]));
  }, 120_000);
});

const roomFor = (bytes: number) => ({ copies: { room: async () => bytes, drop: async () => {} } });

/** Publishes a unit, and is killed before that is noted. */
async function killed(event: unknown, services: ApiServices): Promise<void> {
  const write = async () => {
    throw new Error('killed');
  };
  await expect(publish(event, { ...services, lake: { ...services.lake, write } })).rejects.toThrow('killed');
}
