import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BESIDE_NAMES } from './beside.ts';
import { EVENTS } from './events.ts';
import type { ExpectedDay, ExpectedTable } from './expected.ts';
import type { Said } from './forms/form.ts';
import { FORMS } from './forms/table.ts';
import { HARMLESS_NAMES } from './harmless-headers.ts';
import { drawLife, type Life } from './life.ts';
import { type LifeLab, type Living, lifeLab } from './life-lab.ts';
import { judgeRun, judgeTables, type Printed } from './oracle.ts';
import type { Row } from './read-tables.ts';
import type { Table } from './truth.ts';

const LIFE: Life = {
  seed: 7,
  sizes: { players: 3, groups: 3, licences: 4, storages: 3, prices: 'list', screens: 'mixed' },
  sources: [{ kind: 'signage', form: 'bare', paged: 'all', size: 0, beside: [], headers: [] }],
  events: [{ day: 1, what: 'grow' }],
};

let lab: LifeLab;
beforeAll(async () => {
  lab = await lifeLab();
});
afterAll(() => lab[Symbol.asyncDispose]());

const live = async (living: Living = {}) => {
  const { alarms } = await lab.live(LIFE, { days: 1, ...living });
  return [...new Set(alarms.map(({ day, kind }) => `day ${day + 1}: ${kind}`))];
};

/** The same expectation, but for the rows of a table. */
function changed(
  expected: ExpectedDay,
  table: Table,
  change: (rows: ExpectedTable['rows']) => ExpectedTable['rows'],
): ExpectedDay {
  const due = expected.get(table);
  if (due === undefined) throw new Error(`nothing is expected of ${table}`);
  return new Map([...expected, [table, { ...due, rows: change(due.rows) }]]);
}

describe('the oracle of the healthy world', () => {
  it('is calm where nothing is wrong', async () => {
    expect(await live({ days: 2 })).toEqual([]);
  });

  const renamed = (expected: ExpectedDay) =>
    changed(expected, 'players', ([first, ...rest]) => [
      { source: 'berlin', parent: null, fields: { ...first?.fields, name: 'Berlin 1' } },
      ...rest,
    ]);
  const KASSEN = { source: 'berlin', parent: null, fields: { id: 99, name: 'Kassen' } };
  const without = (expected: ExpectedDay) => changed(expected, 'licenses', (rows) => rows.slice(1));
  const swapped = (expected: ExpectedDay) =>
    changed(without(expected), 'app_groups', (rows) => [...rows, KASSEN]);
  /** The answers of a path, changed. */
  const on =
    (path: string, change: (body: Said['body']) => Partial<Said>): NonNullable<Living['tamper']> =>
    (said, { url }) =>
      url.endsWith(path) ? { ...said, ...change(said.body) } : said;

  const withoutFirst = (body: Said['body']) => ({ body: Array.isArray(body) ? body.slice(1) : body });
  it.each<readonly [string, Living, RegExp]>([
    ['a value that is another one than it believes', { believe: renamed }, /^day 1: wrong players$/],
    ['a row too many and one that lacks', { believe: swapped }, /^day 1: short app_groups, .*many licenses$/],
    ['a record that the server dropped', { tamper: on('/Players', withoutFirst) }, /day 1: short players/],
    ['a run that asks', { tamper: on('/Players', (data) => ({ body: { data, hasMore: true } })) }, /day 1/],
    ['a listing that lacks', { tamper: on('/Licenses', () => ({ status: 404, body: {} })) }, /licenses/],
  ])('finds %s', async (_, living, alarms) => {
    expect((await live(living)).join(', ')).toMatch(alarms);
  });

  const CALM = { name: 'berlin', status: 'complete', questions: [], asks: [], drift: [], notes: [] };
  const judge = (source: Partial<Printed['sources'][number]>, { day = 0, exitCode = 0 } = {}) =>
    judgeRun({
      ...{ day, exitCode, outcomes: [] },
      printed: { status: 'complete', sources: [{ ...CALM, ...source }] },
    }).map(({ kind }) => kind);

  it('finds a question, drift, an error and too many notes in what a run prints', () => {
    expect(judge({})).toEqual([]);
    expect(judge({ questions: ['players: The times have no time zone.'] })).toEqual(['question']);
    const asks = [{ code: 'TIME_ZONE_OPEN', resource: 'players', says: 'no zone' }];
    expect(judge({ asks })).toEqual(['question TIME_ZONE_OPEN players']);
    expect(judge({ drift: ['players: Its records were elsewhere.'] })).toEqual(['drift']);
    expect(judge({ status: 'partial', error: { code: 'GONE', message: '' } })).toEqual(['GONE']);
    expect(judge({ status: 'partial' })).toEqual(['partial without an error']);
    expect(judge({ notes: [noteOf('players'), noteOf('licenses')] })).toEqual([]);
    expect(judge({ notes: [noteOf('players'), noteOf('players')] })).toEqual(['2 notes players']);
    expect(judge({ notes: [noteOf('players')] }, { day: 1 })).toEqual(['late note ROUND_NUMBER players']);
    expect(judge({}, { exitCode: 3 })).toEqual(['exit code 3']);
  });

  it('finds a date of _daily that is another one than it was', async () => {
    const columns = (field: string) => [field];
    const expected: ExpectedDay = new Map([
      [
        'app_groups',
        { columns, rows: [{ source: 'berlin', parent: null, fields: { id: 11, name: 'Kassen' } }] },
      ],
    ]);
    const row = { export_source: 'berlin', id: 11n, name: 'Kassen' };
    const kindsOf = async (rows: readonly Row[]) => {
      const committed = { newest: async () => [], daily: async () => rows };
      const faults = await judgeTables({ day: 0, date: '2026-11-10', expected, committed });
      return faults.map(({ kind }) => kind);
    };
    expect(await kindsOf([row])).toEqual([]);
    expect(await kindsOf([])).toEqual(['short app_groups_daily']);
    expect(await kindsOf([{ ...row, name: 'Wegweiser' }])).toEqual(['wrong app_groups_daily']);
    expect(await kindsOf([row, { ...row, id: 12n }])).toEqual(['too many app_groups_daily']);
  });
});

function noteOf(resource: string) {
  return { code: 'ROUND_NUMBER', resource, says: 'There are exactly 20 records' };
}

describe('lives', () => {
  const drawn = Array.from({ length: 600 }, (_, number) => drawLife({ seed: 1, number }));

  it('are what their seed and number say', () => {
    expect(drawLife({ seed: 5, number: 3 })).toEqual(drawLife({ seed: 5, number: 3 }));
    expect(drawLife({ seed: 5, number: 4 })).not.toEqual(drawLife({ seed: 5, number: 3 }));
  });

  it('have every form, event, header and member in time', () => {
    const sources = drawn.flatMap((life) => life.sources);
    const names = (of: readonly string[]) => [...new Set(of)].toSorted();
    expect(names(sources.map(({ form }) => form))).toEqual(names(FORMS.map(({ name }) => name)));
    expect(names(sources.flatMap(({ beside }) => beside.map(({ name }) => name)))).toEqual(
      names(BESIDE_NAMES),
    );
    expect(names(sources.flatMap(({ headers }) => headers.map(({ name }) => name)))).toEqual(
      names(HARMLESS_NAMES),
    );
    expect(names(drawn.flatMap(({ events }) => events.map(({ what }) => what)))).toEqual(names(EVENTS));
  });
});
