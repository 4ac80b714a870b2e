import { beforeAll, describe, expect, it } from 'vitest';
import { RESOURCES, type ResourceName } from '#lib/sources/resources.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews } from '#lib/views/view-file.ts';
import { type Day, signageViewLab, viewLab } from '../queries/view-lab.ts';
import { reportOf } from '../report/report-of.ts';
import { drawn, isAll } from '../support/drawn.ts';
import {
  allFigures,
  DAYS,
  figuresOfPage,
  openedTables,
  type Whole,
  wrongIn,
} from '../support/figures-of-views.ts';

/*
 * Two days of two APIs on which everything is known, and the same days with one thing that is not: a needed column is gone, a
 * source fails, a source is left out. What all views say is compared.
 */

const IDS = Array.from({ length: 12 }, (_, index) => index + 1);

/** Of each thing that harms there is some, so that no figure is rightly none. */
function dayOf(day: number): Day {
  const today = `2026-11-${20 + day}`;
  const seen = (id: number) => (id % 3 === 0 ? '2026-11-18T02:00:00Z' : `${today}T02:30:00Z`);
  const below = (records: (id: number) => readonly object[]) =>
    Object.fromEntries(IDS.map((id) => [id, records(id)]));
  return {
    players: IDS.map((Id) => ({
      ...{ Id, Name: `P${Id}`, City: Id % 2 === 0 ? 'Bern' : 'Basel' },
      LastAccess: (Id + day) % 4 === 0 ? '2026-11-17T02:00:00Z' : seen(Id),
      ...{ LicenseType: 'Player', BoxState: 'Activated' },
    })),
    screens: below((id) => {
      const LastUpdate = (id + day) % 5 === 0 ? '2026-11-18T02:00:00Z' : `${today}T02:40:00Z`;
      return [
        { Id: 1, Number: 1, IsOn: (id + day) % 2 === 0, LastUpdate: `${today}T02:30:00Z` },
        { Id: 2, Number: 2, IsOn: true, LastUpdate },
      ];
    }),
    pending_file_transfers: below((id) => [{ Id: 100 + id, Created: '2026-11-10T00:00:00Z' }]),
    // Twelve of each, or nothing is said of a column that empties.
    licenses: IDS.map((Id) => ({
      ...{ Id, Type: `T${Id}`, TotalCount: 10, AvailableCount: Id % 4 === 0 ? 0 : 3 + day },
    })),
    app_groups: [{ Id: 1, Name: 'G' }],
    backup_pricing: [{ id: 1, name: 'S', price: 4.5, currency: 'CHF' }],
    backup_storages: IDS.map((id) => ({ id, customer_name: `S${id}`, size: 9000, storage_reserved: 1000 })),
    backup_slots: below((id) => [{ id: 1, size: 1000, storage_used: 400 + 50 * id * (day + 1) }]),
  };
}

/** A field is as it was on the first day, and on the second no record has it. */
function without(day: Day, table: ResourceName, field: string): Day {
  const left = (record: object) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => name !== field));
  const cut = (records: unknown): unknown => {
    if (Array.isArray(records)) return records.map(left);
    return Object.fromEntries(Object.entries(Object(records)).map(([id, own]) => [id, cut(own)]));
  };
  return { ...day, [table]: cut(day[table]) };
}

const NEEDED: readonly (readonly [ResourceName, string, string])[] = [
  ['players', 'last_access', 'LastAccess'],
  ['screens', 'is_on', 'IsOn'],
  ['screens', 'last_update', 'LastUpdate'],
  ['licenses', 'total_count', 'TotalCount'],
  ['licenses', 'available_count', 'AvailableCount'],
  ['backup_slots', 'size', 'size'],
  ['backup_slots', 'storage_used', 'storage_used'],
];

describe('R11: no view shows none or zero where the truth is unknown', () => {
  const settings = { config: { groups: ['city'] } };
  let whole: Whole = { views: new Map(), page: {} };
  beforeAll(async () => {
    await using lab = await viewLab(settings);
    for (const [day, at] of DAYS.entries()) await lab.run(at, dayOf(day));
    using tables = await openedTables(lab);
    whole = { views: await allFigures(tables), page: await figuresOfPage(lab, tables) };
  });

  /** What the views say wrongly after these days, on the second of which so many sources are asked. */
  async function wrong(days: readonly Day[], tables?: readonly ResourceName[], sources?: string[]) {
    await using lab = await viewLab(settings);
    for (const [index, day] of days.entries())
      await lab.run(DAYS[index] ?? '', day, index === 0 ? undefined : sources);
    return await wrongIn(lab, whole, tables);
  }

  it('the views need no other columns than those that are taken away here', async () => {
    const needed = (await readViews(QUERIES)).flatMap(({ needs }) =>
      needs.map(({ table, column }) => `${table}.${column}`),
    );
    expect(new Set(NEEDED.map(([table, column]) => `${table}.${column}`))).toEqual(new Set(needed));
  });

  it('where all is known, the views have figures', () => {
    const silent = [...whole.views].filter(([, { rows }]) => rows === 0).map(([name]) => name);
    // The config names no opening hours.
    expect(silent).toEqual(['off_in_hours', 'opening_hours', 'player_places']);
    expect(Object.values(whole.page).filter(Boolean).length).toBeGreaterThan(10);
  });

  // Each column goes in one of two ways, and in `npm run nightly` in both.
  it.each(drawn(NEEDED))('%s.%s is gone on the second day', async (table, _, field) => {
    expect(await wrong([dayOf(0), without(dayOf(1), table, field)], [table])).toEqual([]);
  });

  const others = NEEDED.filter((_, index) => isAll || index % 2 === 1);
  it.each(others)('%s.%s was never there', async (table, _, field) => {
    const days = [0, 1].map((day) => without(dayOf(day), table, field));
    expect(await wrong(days, [table])).toEqual([]);
  });

  it.each(['signage', 'backup'])('the source of %s fails on the second day, or on both', async (kind) => {
    const names = RESOURCES.filter((each) => each.kind === kind).map(({ name }) => name);
    const failed: Partial<Day> = Object.fromEntries(names.map((name) => [name, 'denied']));
    for (const first of [dayOf(0), { ...dayOf(0), ...failed }])
      expect(await wrong([first, { ...dayOf(1), ...failed }], names)).toEqual([]);
  });

  it.each<readonly [string, Partial<Day>, boolean]>([
    ['all was answered', {}, true],
    ['one queue was refused', { pending_file_transfers: { 1: 'denied' } }, false],
  ])('a refused run of the day takes no figure back, where before %s', async (_, refused, isWhole) => {
    await using lab = await viewLab(settings);
    await lab.run(DAYS[0], dayOf(0));
    await lab.run(DAYS[1], { ...dayOf(1), ...refused });
    using before = await openedTables(lab);
    const known = await allFigures(before);
    const page = await figuresOfPage(lab, before);
    await lab.run('2026-11-21T15:00:00Z', { refused: true });
    using tables = await openedTables(lab);
    const now = await allFigures(tables);
    const isLost = (view: string, name: string, sum: number | null) => sum && !now.get(view)?.sums[name];
    // What export_health counts is of the newest run.
    const lost = [...known].flatMap(([view, { sums }]) =>
      Object.entries(sums).filter(([name, sum]) => view !== 'export_health' && isLost(view, name, sum)),
    );
    expect(lost).toEqual([]);
    // Of a day without a whole run nobody knows that a listing had no records.
    const kept = Object.fromEntries(Object.entries(page).filter(([, value]) => isWhole || value !== 0));
    expect(await figuresOfPage(lab, tables)).toMatchObject(kept);
  });

  it.each([['berlin'], ['vault']])('the second day has %s alone', async (source) => {
    expect(await wrong([dayOf(0), dayOf(1)], undefined, [source])).toEqual([]);
  });
});

it('screens and queues that no player could be asked for are not known, by source and by group', async () => {
  await using lab = await signageViewLab({ config: { groups: ['City'] } });
  const at = '2026-11-21T03:00:00Z';
  // Two players share an id, so nothing says whose screens and files an answer has.
  const players = [1, 1, 2].map((Id, index) => ({ Id, Name: `p${index}`, City: 'Bern', LastAccess: at }));
  const { sources } = await lab.run(at, { players, screens: { 1: [{ Id: 1, IsOn: true }] } });
  expect(sources[0]?.outcomes.failed).toBeGreaterThan(0);
  const figures = 'screens, expected_screens_on, pending_transfers, players_waiting, players_stuck';
  const unknown = Object.fromEntries(figures.split(', ').map((name) => [name, null]));
  const [ofSource] = await lab.rows(`select players, ${figures} from daily_trend`);
  expect(ofSource).toEqual({ players: 3, ...unknown });
  expect(await lab.rows(`select ${figures} from group_trend where group_value = 'Bern'`)).toEqual([unknown]);
});

it('a player that a later run of the day brought is not known where its listings had no answer', async () => {
  await using lab = await signageViewLab({ config: { groups: ['City'] } });
  const run = async (time: string, ids: readonly number[], denied: readonly number[]) => {
    const LastAccess = `2026-11-${time}:00Z`;
    const ofEach = (told: (id: number) => readonly object[]) =>
      Object.fromEntries(ids.map((id) => [id, denied.includes(id) ? ('denied' as const) : told(id)]));
    await lab.run(LastAccess, {
      players: ids.map((Id) => ({ Id, City: 'Bern', LastAccess })),
      screens: ofEach((id) => [{ Id: id, IsOn: true }]),
      pending_file_transfers: ofEach((id) => (id === 1 ? [{ Id: 1, Created: '2026-11-20T00:00:00Z' }] : [])),
    });
  };
  await run('20T03:00', [1, 2, 3], []);
  await run('21T03:00', [1, 2, 3], []);
  // A listing that the first run of the day could read is known.
  await run('21T10:00', [1, 2, 3, 4], [2, 4]);
  const sql = (view: string) => `select players_stuck_unknown from ${view} where export_date = '2026-11-21'`;
  expect(await lab.rows(sql('daily_trend'))).toEqual([{ players_stuck_unknown: 1 }]);
  expect(await lab.rows(sql('group_trend'))).toEqual([{ players_stuck_unknown: 1 }]);
  const { kinds } = (await reportOf(lab.lake, '2026-11-21T12:00:00Z')).news;
  const added = kinds.find(({ kind }) => kind === 'screen added');
  expect(added).toMatchObject({ counts: { '1': null }, isLeast: { '1': true } });
});
