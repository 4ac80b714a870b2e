import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '#cli/query.ts';
import { notKnown } from '#lib/views/not-known.ts';
import { openTables, type Tables } from '#lib/views/open-tables.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { told } from '#lib/views/sentence.ts';
import { readViews } from '#lib/views/view-file.ts';
import { fixedNames } from './fixed-names.ts';
import { type ViewLab, viewLab } from './view-lab.ts';

describe('views', () => {
  it('name in their header every column of the API that they read', async () => {
    const read = (await readViews(QUERIES)).flatMap(({ name, sql, needs, uses }) => {
      const known = new Set([...needs, ...uses].map(({ column }) => column));
      const body = sql.replaceAll(/--.*$/gm, '');
      const columns = body.matchAll(/\b(players|screens|licenses|storages|slots|pending|dailies)\.(\w+)/g);
      return [...columns].map(([place, , column = '']) => {
        const isFixed = fixedNames.has(column) || new RegExp(`as "?${column}"?\\b`).test(body);
        return { place: `${name}: ${place}`, isNamed: isFixed || known.has(column) };
      });
    });
    expect(read.length).toBeGreaterThan(50);
    expect(read.filter(({ isNamed }) => !isNamed)).toEqual([]);
  });

  it('have no rows where their tables have nothing, and say what they are silent on', async () => {
    await using lab = await viewLab();
    // There are no screens, licences and slots. The time has no zone, so its column stays text and a question asks for it.
    await lab.run('2026-11-21T03:00:00Z', {
      players: [{ Id: 1, Name: 'P1', LastAccess: '2026-11-21 02:00:00' }],
    });
    using tables = await openTables(lab.lake);
    expect(tables.leftOut).toEqual([]);
    for (const name of ['backup_usage', 'license_utilisation', 'screen_status', 'screen_uptime'])
      expect([name, (await ask(tables, `select * from ${name}`)).rows]).toEqual([name, []]);
    // They were requested, and there are none.
    expect([...(await notKnown(tables)).keys()]).toEqual([
      ...['availability', 'device_states', 'group_trend', 'news', 'off_in_hours', 'opening_hours'],
      ...['player_days', 'player_groups', 'player_groups_daily'],
      ...['player_health', 'player_outages', 'player_places'],
    ]);
    expect((await notKnown(tables)).get('player_health')?.map((each) => told(each))).toEqual([
      expect.stringMatching(
        /^Not known: when a player was last seen \(players\.last_access: it is varchar, not timestamp/,
      ),
    ]);
    // The others answer all the same; when nobody says when a player was seen, its health is unknown.
    for (const { name } of tables.views) await tables.query(`select * from ${name}`);
    expect(await lab.cells('select player_name, health from player_health')).toEqual([['P1', 'unknown']]);
    expect(
      await lab.cells('select players, screens, players_never_seen, players_unknown from daily_trend'),
    ).toContainEqual([1, 0, null, 1]);
  });

  describe('of an API that gives ids and LastStatusChange alone', () => {
    const LastStatusChange = '2026-11-20T15:00:00Z';
    const IDS = {
      players: [{ Id: 1 }, { Id: 2 }],
      app_groups: [{ Id: 5 }],
      licenses: [{ Id: 1 }],
      screens: { 1: [{ Id: 11, LastStatusChange }], 2: [{ Id: 12 }] },
      pending_file_transfers: { 1: [{ Id: 7 }] },
      backup_storages: [{ Id: 3 }],
      backup_slots: { 3: [{ Id: 31 }] },
    };
    /** Columns with the source of a row, its time, and how the run went. */
    const OF_RUNS =
      /^export_(date|source|run_id)$|_(id|key)$|^(date|screen|slot|exported_at|is_carried|status|coverage|runs)$/;

    /** By period: hours from the first run to the second one. */
    const HOURS = { 'day 2026-11-20': 8, 'day 2026-11-21': 4, 'month 2026-11-01': 12, 'week 2026-11-16': 12 };
    const NEVER_KNOWN = {
      ...{ state: 'unknown', started_by: 'observed', sampling_error_hours: 0, outage: 0 },
      ...{ started_after: '2026-11-20T15:00:00Z', started_at: '2026-11-20T15:00:00Z' },
      ...{ started_before: '2026-11-20T15:00:00Z', until_at: '2026-11-21T03:00:00Z' },
    };

    let lab: ViewLab;
    let tables: Tables;
    beforeAll(async () => {
      lab = await viewLab();
      await lab.run('2026-11-20T15:00:00Z', IDS);
      await lab.run('2026-11-21T03:00:00Z', IDS);
      tables = await openTables(lab.lake);
    });
    afterAll(async () => {
      tables[Symbol.dispose]();
      await lab[Symbol.asyncDispose]();
    });

    it('answer, and invent nothing: no state, no figure and no 0 that nobody said', async () => {
      const said: Record<string, unknown> = {};
      for (const { name } of tables.views.filter((view) => !['dates', 'export_health'].includes(view.name))) {
        const rows = await lab.rows(`select * from ${name} order by all`);
        const known = rows.map((row) =>
          Object.entries(row).filter(([column, value]) => value !== null && !OF_RUNS.test(column)),
        );
        said[name] = known.map((cells) => Object.fromEntries(cells));
      }
      const counted = {
        ...{ players: 2, players_unknown: 2, expected_players: 2, expected_players_unknown: 2 },
        ...{ screens: 2, screens_unknown: 2, expected_screens: 2, expected_screens_unknown: 2 },
        ...{
          players_added: 0,
          players_removed: 0,
          pending_transfers: 1,
          players_waiting: 1,
          players_stuck_unknown: 1,
          licenses: 1,
        },
      };
      const player = { health: 'unknown', last_known_health: 'unknown', is_expected: true, screens: 1 };
      const listed = { valid_from: '2026-11-20', first_seen: '2026-11-20', is_current: true };
      const waiting = {
        age_from: 'first seen',
        pending: 1,
        scheduled: 0,
        oldest_since: LastStatusChange,
        is_expected: true,
      };
      const screen = { state: 'unknown', last_known_state: 'unknown', is_expected: true };
      expect(said).toEqual({
        backup_usage: [{ storage_slots: 1 }],
        daily_trend: [counted, { backup_slots: 1 }, counted, { backup_slots: 1 }],
        license_utilisation: [{ license_type: '1' }],
        player_health: [
          { ...player, pending_transfers: 1 },
          { ...player, pending_transfers: 0 },
        ],
        screen_status: [{ ...screen, since: LastStatusChange, hours_in_state: 12 }, screen],
        player_days: Array(4).fill({ health: 'unknown', is_expected: true }),
        screen_days: Array(4).fill({ state: 'unknown', is_expected: true }),
        transfer_days: [
          { ...waiting, oldest_age_hours: 0, idle_hours: 0 },
          { ...waiting, oldest_age_hours: 12, idle_hours: 12 },
        ],
        // That they were listed, and since when.
        players_history: Array(2).fill(listed),
        screens_history: Array(2).fill(listed),
        // Whether it is stuck is not known: it may have waited before the first export.
        stuck_transfers: [{ ...waiting, oldest_age_hours: 12, idle_hours: 12 }],
        // No prices, no findings, no news; and the config names no groups and no opening hours.
        ...{
          backup_cost: [],
          data_quality: [],
          news: [],
          group_trend: [],
          player_groups: [],
          player_groups_daily: [],
          off_in_hours: [],
        },
        // Nobody was seen in any state: all hours since the first run are unknown, and there are no outages.
        availability: ['1', '2', '1/11', '2/12', ''].flatMap((key) =>
          Object.entries(HOURS).map(([start, hours]) => {
            const [period, period_start] = start.split(' ');
            const [level, all] =
              key === '' ? ['source', 2 * hours] : [key.includes('/') ? 'screen' : 'player', hours];
            const unknown = { known_hours: 0, judged_hours: 0, unknown_hours: all, unjudged_hours: all };
            return { level, key: `berlin${key && `/${key}`}`, period, period_start, ...unknown };
          }),
        ),
        device_days: ['player', 'player', 'screen', 'screen'].flatMap((level) => [
          { level, known_hours: 0, unknown_hours: 8, run_date: '2026-11-20' },
          { level, known_hours: 0, unknown_hours: 4, run_date: '2026-11-21' },
        ]),
        device_states: ['player', 'player', 'screen', 'screen'].map((level) => ({ level, ...NEVER_KNOWN })),
        screen_uptime: [8, 4, 8, 4].map((unknown_hours) => ({ unknown_hours })),
        ...{ opening_hours: [], outages: [], player_outages: [], player_places: [], screen_outages: [] },
      });
    });

    it('say in words what they do not know', async () => {
      const unknown = await notKnown(tables);
      const wordsOf = (name: string) => unknown.get(name)?.map((each) => told(each));
      expect(wordsOf('screen_status')).toEqual([
        'No field of this API says whether a screen is on. If a field does, set its `as` in the config to screens.is_on.',
        'No field of this API says when a screen last reported. If a field does, set its `as` in the config to screens.last_update.',
      ]);
      expect([...unknown.keys()]).toEqual([
        ...['availability', 'backup_usage', 'device_states', 'group_trend', 'license_utilisation', 'news'],
        ...['off_in_hours', 'opening_hours', 'player_days', 'player_groups', 'player_groups_daily'],
        ...[
          'player_health',
          'player_outages',
          'player_places',
          'screen_days',
          'screen_outages',
          'screen_status',
        ],
        'screen_uptime',
      ]);
    });
  });

  it('mean one thing by expected', async () => {
    const rule =
      /coalesce\(lower\(\w+\.box_state\), 'activated'\) not in \('deleted', 'new', 'reserved', 'undefined'\) and coalesce\(\w+\.is_installed, true\) and coalesce\(\w+\.is_licensed, true\) as is_expected/;
    const files = await readViews(QUERIES);
    const tell = files.filter(({ sql }) => /coalesce\(\w+\.is_installed\b/.test(sql));
    expect(tell.map(({ name }) => name)).toEqual(['player_days', 'player_health', 'screen_status']);
    for (const { name, sql } of tell) expect([name, rule.test(sql)]).toEqual([name, true]);
  });

  it('take screens at their word where no screen of their source says when it last reported', async () => {
    await using lab = await viewLab();
    await lab.run('2026-11-21T03:00:00Z', {
      players: [{ Id: 1 }],
      screens: { 1: [{ Id: 1, IsOn: true }, { Id: 2, IsOn: false }, { Id: 3 }] },
    });
    for (const view of ['screen_status', 'screen_days']) {
      const shown = await lab.flat(`select screen, state from ${view} order by screen`);
      expect(shown, view).toEqual([...['1/1', 'on'], ...['1/2', 'off'], ...['1/3', 'unknown']]);
    }
    const states = 'screens_on, screens_off, screens_stale, screens_unknown';
    expect(await lab.cells(`select ${states} from daily_trend where export_source = 'berlin'`)).toEqual([
      [1, 1, null, 1],
    ]);
  });

  it('read numbers, flags and counts that an installation writes as text or as 0 and 1', async () => {
    await using lab = await viewLab();
    await lab.run('2026-11-21T03:00:00Z', {
      players: [{ Id: 1, Name: 'P1', LastAccess: '2026-11-21T02:00:00Z', IsInstalled: 1, IsLicensed: 0 }],
      screens: { 1: [{ Id: 1, IsOn: 1, LastUpdate: '2026-11-21T02:00:00Z' }] },
      licenses: [{ Type: 'A', TotalCount: '10', AvailableCount: '4' }],
    });
    expect(await lab.cells('select state from screen_status')).toEqual([['on']]);
    expect(await lab.cells('select is_installed, is_licensed from player_health')).toEqual([[true, false]]);
    expect(await lab.cells('select used, used_share from license_utilisation')).toEqual([[6, 0.6]]);
  });

  it('are asked by name, and what was meant is named', async () => {
    await using lab = await viewLab();
    await lab.run('2026-11-21T03:00:00Z', { players: [{ Id: 1, Name: 'P1' }] });
    using tables = await openTables(lab.lake);
    for (const [name, meant] of [
      ['screen', 'no table screen; did you mean screens?'],
      ['data_qualty', 'did you mean data_quality?'],
      ['player_dayly', 'did you mean players_daily?'],
      ['utilisation', 'did you mean license_utilisation?'],
      ['zzz', /^no table zzz; there are app_groups, /],
    ] as const)
      await expect(ask(tables, `select * from ${name}`)).rejects.toThrow(meant);
  });
});
