import fc from 'fast-check';
import { collectReport } from '#lib/report/collect-report.ts';
import { openTables } from '#lib/views/open-tables.ts';
import type { FixtureLab, Routes } from './fixture-lab.ts';

/** What is hidden: short and deep paths, in another case than the records have them too. */
const HIDDEN = ['Contact.Phone', 'Owners.Mail', 'big.K3', 'Tree.A.B.C.D.E.F.G', 'Site.Room.Door', 'Pin'];
const SOURCES = ['berlin', 'paris'];
/** The API's own key, which each record echoes. */
export const API_KEY = 'gf_live_0123456789abcdefABCDEF';

/** When which source begins to hide, and how. */
export interface Hiding {
  readonly how: 'drop' | 'mask';
  readonly hides: readonly string[];
  /** The first day on which it is hidden. */
  readonly from: number;
  readonly rawRetentionDays: number;
  /** From that day on, whoever hides nothing has the column read as another type. */
  readonly isRetyped?: boolean;
}

/** The form of a value: by itself, in lists, in JSON within a text, or with much next to it. */
const form = fc.constantFrom(...'plain plain list lists text beside wide twice case none'.split(' '));
type Form = typeof form extends fc.Arbitrary<infer Value> ? Value : never;
const met = fc.array(form, { minLength: 8, maxLength: 8 });
/** A record: how each of its hidden values is met. As many each day: a listing that is halved is held back. */
const record = fc.array(met, { minLength: HIDDEN.length, maxLength: HIDDEN.length });
const day = fc.array(record, { minLength: 2, maxLength: 2 });
/** Two days; a third is like the second. */
export const worlds = fc.tuple(day, day);
export type World = typeof worlds extends fc.Arbitrary<infer Value> ? Value : never;
export const DAYS = [0, 1, 2];

export const timeOf = (index: number) => `2026-11-2${index}T03:00:00Z`;
export const runOf = (index: number) => `2026112${index}T030000Z`;

/** The JSON of a member, and of the path from it to a value. The value is a new token at each place. */
function member([name = '', ...names]: readonly string[], forms: readonly Form[], token: () => string) {
  const [own = 'plain', ...inner] = forms;
  const valued = (): string =>
    names.length === 0 ? JSON.stringify(token()) : `{${member(names, inner, token)}}`;
  const of = (key: string, value: string) => `${JSON.stringify(key)}:${value}`;
  switch (own) {
    case 'list':
      return of(name, `[${valued()},${valued()}]`);
    case 'lists':
      return of(name, `[[${valued()}],1]`);
    case 'text':
      return of(name, JSON.stringify(valued()));
    case 'twice':
      return `${of(name, valued())},${of(name, valued())}`;
    case 'case':
      return `${of(name.toUpperCase(), valued())},${of(` ${name}`, valued())},${of(name, valued())}`;
    case 'beside':
      return `${of('Ok', '1')},${of(name, valued())}`;
    case 'wide': {
      const others = Array.from({ length: 70 }, (_, index) => `"W${index}":"v"`);
      return names.length === 0 ? of(name, valued()) : of(name, `{${others.join(',')},${valued().slice(1)}`);
    }
    case 'none':
      return of('Ok', '2');
    default:
      return of(name, valued());
  }
}

/** What both sources answer on a day: players, and licences without any field that may be an id. */
export function routesOf(world: World, index: number): Routes {
  const today = Math.min(index, 1);
  const routes: Record<string, { readonly body: string }> = {};
  for (const source of SOURCES) {
    let tokens = 0;
    const token = () => `HID${source}${today}x${tokens++}`;
    const members = (world[today] ?? []).map((forms) =>
      HIDDEN.map((path, at) => {
        // Each record has a value that is hidden.
        const own = path === 'Pin' && forms[at]?.[0] === 'none' ? [] : (forms[at] ?? []);
        return member(path.split('.'), own, token);
      }).join(','),
    );
    const listed = (own: (id: number) => string) =>
      `[${members.map((each, id) => `{${own(id + 1)},${each},"Echo":"${API_KEY}"}`).join(',')}]`;
    const at = (path: string) => `/${source}/v1.12/${path}`;
    routes[at('Players')] = { body: listed((id) => `"Id":${id}`) };
    routes[at('Licenses')] = { body: listed((id) => `"Room":"R${id}"`) };
    for (const empty of ['AppGroups', ...members.flatMap((_, id) => childrenOf(id + 1))])
      routes[at(empty)] = { body: '[]' };
  }
  return routes;
}

const childrenOf = (id: number) => [`Players/${id}/Screens`, `Players/${id}/PendingFileTransfers`];

/** The settings of a day: what is hidden is so from its day on. */
export function settingsOn(
  { how, hides, from, rawRetentionDays, isRetyped }: Hiding,
  index: number,
  baseUrl: string,
) {
  const isHidden = index >= from;
  const hidden = { [how]: HIDDEN };
  const retyped = isRetyped === true && { players: { columns: { pin: { type: 'timestamp' } } } };
  const sources = SOURCES.map((name) => {
    const resources = hides.includes(name) ? { players: hidden, licenses: hidden } : retyped;
    return {
      ...{ name, kind: 'signage', baseUrl, basePath: `/${name}`, secret: `lab/${name}` },
      ...{ requestsPerSecond: null, maxColumns: 1000, ...(isHidden && resources && { resources }) },
    };
  });
  const maskSecret = isHidden && how === 'mask' && { maskSecret: 'lab/mask' };
  return { config: { rawRetentionDays, ...maskSecret, sources } };
}

/** All that is shown: cells of every day, what changed, what did not fit, and the report. */
export async function shownIn(lab: FixtureLab): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const of = (sql: string) => lab.rows(sql);
  using tables = await openTables(lab.lake);
  return {
    players: await of('select * exclude (exported_at) from players_daily'),
    licenses: await of('select * exclude (exported_at) from licenses_daily'),
    newest: [...(await of('select * from players')), ...(await of('select * from licenses'))],
    rejects: await of('select * from rejects'),
    changes: await of('select * from changes'),
    outcomes: await of('select * from outcomes'),
    columns: await of('select * from schema_columns'),
    report: [await collectReport(tables, lab.config, new Date('2026-11-22T06:00:00Z'))],
  };
}

/** The keys that licences of those who will hide have by now: a hash of each value, by which it can be guessed. */
export async function keysOfHidden(lab: FixtureLab, { hides }: Hiding): Promise<readonly string[]> {
  const of = hides.map((name) => `'${name}'`);
  const keys = await lab.flat(`
    select distinct record_key from licenses_daily where export_source in (${of})
    union select record_key from changes where table_name = 'licenses' and export_source in (${of})`);
  return keys.map(String);
}

/** The values of these sources that a text has. */
export function tokensIn(text: string, sources: readonly string[]): readonly string[] {
  return [...new Set(text.match(new RegExp(`HID(${sources.join('|')})\\dx\\d+`, 'g')) ?? [])];
}

export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each));
