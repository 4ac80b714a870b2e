import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BESIDE_NAMES } from './beside.ts';
import { EVENTS } from './events.ts';
import type { ExpectedDay, ExpectedTable } from './expected.ts';
import type { Said } from './forms/form.ts';
import { FORMS } from './forms/table.ts';
import { HARMLESS_NAMES } from './harmless-headers.ts';
import { drawLife, type Life } from './life.ts';
import { type LifeLab, type Lived, type Living, lifeLab } from './life-lab.ts';
import { judgeTables } from './oracle.ts';
import type { Row } from './read-tables.ts';
import { shrunk } from './shrink.ts';
import type { Table } from './truth.ts';

const LIFE: Life = {
  seed: 7,
  sizes: { players: 13, groups: 3, licences: 4, storages: 3, prices: 'list', screens: 'mixed' },
  sources: [{ kind: 'signage', form: 'bare', paged: 'all', size: 0, beside: [], headers: [] }],
  events: [{ day: 1, what: 'grow' }],
};

let lab: LifeLab;
beforeAll(async () => {
  lab = await lifeLab();
});
afterAll(() => lab[Symbol.asyncDispose]());

const classesIn = (lived: Lived) => [
  ...new Set(lived.alarms.map(({ day, kind }) => `day ${day + 1}: ${kind}`)),
];
const live = async (living: Living = {}) => classesIn(await lab.live(LIFE, { days: 2, ...living }));

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
    expect(await live()).toEqual([]);
  });

  it('finds a value that is another one than it believes', async () => {
    const believe = (expected: ExpectedDay, day: number) =>
      day === 0
        ? expected
        : changed(expected, 'players', ([first, ...rest]) => [
            { ...first, source: 'berlin', parent: null, fields: { ...first?.fields, name: 'Berlin 1' } },
            ...rest,
          ]);
    expect(await live({ believe })).toEqual(['day 2: wrong players']);
  });

  it('finds a row that it does not believe in, and one that lacks', async () => {
    const fewer = (expected: ExpectedDay) => changed(expected, 'licenses', (rows) => rows.slice(1));
    expect(await live({ days: 1, believe: fewer })).toEqual(['day 1: too many licenses']);
    const more = (expected: ExpectedDay) =>
      changed(expected, 'app_groups', (rows) => [
        ...rows,
        { source: 'berlin', parent: null, fields: { id: 99, name: 'Kassen' } },
      ]);
    expect(await live({ days: 1, believe: more })).toEqual(['day 1: short app_groups']);
  });

  it('finds a record that the server dropped', async () => {
    const tamper = (said: Said, { url, day }: { readonly url: string; readonly day: number }): Said => {
      const isShort = day === 1 && url.endsWith('/Players') && Array.isArray(said.body);
      return isShort ? { ...said, body: [...(said.body as readonly Said['body'][])].slice(1) } : said;
    };
    expect(await live({ tamper })).toContain('day 2: short players');
  });

  it('finds a run that asks, and one that says that an answer failed', async () => {
    const withMore = (said: Said, { url }: { readonly url: string }): Said =>
      url.endsWith('/Players') ? { ...said, body: { data: said.body, hasMore: true } } : said;
    expect((await live({ days: 1, tamper: withMore })).length).toBeGreaterThan(0);
    const failing = (said: Said, { url }: { readonly url: string }): Said =>
      url.endsWith('/Licenses') ? { status: 404, body: {} } : said;
    expect((await live({ days: 1, tamper: failing })).join()).toContain('licenses');
  });

  it.each([
    ['a question', { questions: ['players: The times have no time zone.'] }, ['question']],
    [
      'a question with its settings',
      { asks: [{ code: 'TIME_ZONE_OPEN', resource: 'players', says: 'no zone' }] },
      ['question TIME_ZONE_OPEN players'],
    ],
    ['drift', { drift: ['players: Its records were elsewhere.'] }, ['drift']],
    ['two notes of a listing', { notes: [noteOf('players'), noteOf('players')] }, ['2 notes players']],
    ['one note of a listing', { notes: [noteOf('players'), noteOf('licenses')] }, []],
  ])('finds in what a complete run prints on the first day: %s', async (_, printed, kinds) => {
    const lived = await lab.live(LIFE, {
      days: 1,
      reprint: (own) => ({ ...own, sources: own.sources.map((source) => ({ ...source, ...printed })) }),
    });
    expect(lived.alarms.map(({ kind }) => kind)).toEqual(kinds);
  });

  it('finds a note of a later day', async () => {
    const reprint: Living['reprint'] = (own) => ({
      ...own,
      sources: own.sources.map((source) => ({ ...source, notes: [noteOf('players')] })),
    });
    expect(await live({ reprint })).toEqual(['day 2: late note ROUND_NUMBER players']);
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
    const judge = async (rows: readonly Row[]) =>
      (
        await judgeTables({
          day: 0,
          date: '2026-11-10',
          expected,
          committed: { newest: async () => [], daily: async () => rows },
        })
      ).map(({ kind }) => kind);
    expect(await judge([row])).toEqual([]);
    expect(await judge([])).toEqual(['short app_groups_daily']);
    expect(await judge([{ ...row, name: 'Wegweiser' }])).toEqual(['wrong app_groups_daily']);
    expect(await judge([row, { ...row, id: 12n }])).toEqual(['too many app_groups_daily']);
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

  it('are made small until nothing can be left out', async () => {
    const [life] = drawn.filter(({ sources }) =>
      sources.some(({ headers }) => headers.length > 2 && headers.some(({ name }) => name === 'age')),
    );
    if (life === undefined) throw new Error('no life has such headers');
    const alarming: Pick<LifeLab, 'live'> = {
      live: async ({ sources }, { days = 10 } = {}) => {
        const since = sources.flatMap(({ headers }) => headers).find(({ name }) => name === 'age')?.day;
        const isSeen = since !== undefined && since < days;
        return { alarms: isSeen ? [{ day: since, kind: 'stale', says: '' }] : [], requests: 0, cpu: 0 };
      },
    };
    const small = await shrunk(alarming, life, 'stale');
    expect(small.life).toMatchObject({
      sizes: { players: small.life.sizes.players, groups: 1, licences: 1, storages: 1, screens: 'one' },
      sources: [{ beside: [], headers: [{ name: 'age' }] }],
      events: [],
    });
  });
});
