import { expect } from 'vitest';
import type { Lake } from '#lib/lake/lake.ts';
import { purgeRecord } from '#lib/repair/purge/purge-record.ts';
import type { ResourceName } from '#lib/sources/resources.ts';
import { filesHaving as filesWith } from './everything-in.ts';
import { filesBelow } from './files-of-head.ts';
import { type FixtureLab, type Routes, SIGNAGE } from './fixture-lab.ts';
import { screenRoutes } from './fleet-routes.ts';
import { operatorServices } from './lab-services.ts';

export const DAYS = ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z', '2026-11-22T03:00:00Z'];

/** A player with a distinct id, name and screens; its values change each day. */
export const PLAYER = { id: 'pl-4711-x', name: 'Frau Musterfrau Foyer' };
export const IDS = ['pl-1', 'pl-2', PLAYER.id, 'pl-4', 'pl-5'];

const screensOf = (id: string, day: number) => {
  const label = id === PLAYER.id ? PLAYER.name : id;
  const screen = (n: number) => ({ Id: `${id}-s${n}`, Label: `${label} ${n}`, Uptime: day * 10 + n });
  return id === 'pl-5' ? [] : [screen(1), screen(2)];
};

type Wrap = (records: readonly object[]) => unknown;

/** Answers of a day in which the whole says how many there are, and where the last one is. */
export function answers(day: number, wrap: Wrap, without?: string): Routes {
  const players = IDS.filter((id) => id !== without).map((id, index) => ({
    Id: id,
    Name: id === PLAYER.id ? PLAYER.name : `Player ${index}`,
    Load: id === PLAYER.id && day === 2 ? 'n/a' : day * 100 + index,
  }));
  const children = IDS.filter((id) => id !== without).map((id) => [
    `${SIGNAGE}/Players/${id}/Screens`,
    { body: JSON.stringify(wrap(screensOf(id, day))).replaceAll(`"newest":"${PLAYER.name}"`, '"newest":""') },
  ]);
  return { [`${SIGNAGE}/Players`]: { body: JSON.stringify(wrap(players)) }, ...Object.fromEntries(children) };
}

export const FORMS = {
  'a bare list': (records: readonly object[]) => records,
  'a list with its total, and a name next to it': (data: readonly object[]) => {
    return { total: data.length, data, newest: PLAYER.name };
  },
  'rows next to their names': (records: readonly object[]) => ({
    names: ['Id', 'Name', 'Load'],
    rows: records.map((each) => Object.values(each)),
  }),
  'a map': (records: readonly object[]) =>
    Object.fromEntries(records.map((each) => [Object.values(each)[0], each])),
} as const;

/** Every file of the lake in which one of the texts is. */
export async function filesHaving({ lake }: Pick<FixtureLab, 'lake'>, texts: readonly string[]) {
  expect(filesBelow(lake.name).length).toBeGreaterThan(20);
  return await filesWith(lake.name, texts);
}

const opened = new WeakMap<Lake, ReturnType<typeof operatorServices>>();

/** What an operator does to the lake is done with these: a DuckDB of its own for each command takes long. */
export function operators(lab: Pick<FixtureLab, 'lake' | 'config'>): ReturnType<typeof operatorServices> {
  const known = opened.get(lab.lake) ?? operatorServices(lab);
  opened.set(lab.lake, known);
  return known;
}

/** By then the next commit removes the files that the purge replaced. */
export const aDayLater = (lab: Pick<FixtureLab, 'lake' | 'config'>) => ({
  ...operators(lab),
  now: () => new Date(Date.now() + 26 * 3_600_000),
});

/** The settings by which the last form but one is read. */
export const ROWS = {
  signage: { resources: { players: { items: 'rows[names]' }, screens: { items: 'rows[names]' } } },
};

const TABLES = 'players_daily screens_daily outcomes_daily changes rejects schema_columns_daily'.split(' ');

export async function rowsOf(lab: FixtureLab, isLeft: (row: string) => boolean = () => true) {
  const all: Record<string, readonly string[]> = {};
  for (const table of TABLES) {
    // A rebuild counts what is left.
    const cells = table === 'outcomes_daily' ? '* exclude (rows)' : '*';
    const rows = await lab.rows(`select ${cells} from ${table} order by all`);
    const textOf = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
    all[table] = rows.map((row) => JSON.stringify(row, textOf)).filter(isLeft);
  }
  return all;
}

export const purged = (lab: FixtureLab, table: ResourceName, key: string, source?: string) =>
  purgeRecord({ record: { table, key }, source }, operators(lab));

export const withPlayers = (
  players: readonly object[],
  screens: Readonly<Record<string, readonly object[]>> = {},
  base = SIGNAGE,
): Routes => {
  const ids = Object.keys(screens).map(encodeURIComponent);
  const children = screenRoutes(ids, (_, index) => Object.values(screens)[index] ?? [], base);
  return { [`${base}/Players`]: { body: JSON.stringify(players) }, ...children };
};
