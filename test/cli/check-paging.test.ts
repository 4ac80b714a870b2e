import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ShapeLabs, shapeLab } from '../shapes/shape-lab.ts';
import { type Routes, SIGNAGE } from '../support/fixture-lab.ts';

let labs: ShapeLabs;
beforeAll(async () => {
  labs = await shapeLab();
});
afterAll(() => labs[Symbol.asyncDispose]());

const queryOf = ({ url }: { readonly url?: string | undefined }) =>
  new URL(url ?? '', 'http://x').searchParams;

/** Five players as a map, in pages of four; only `isPartial` says that there are further ones. */
function mapInPages(param: string): Routes {
  const players = Array.from({ length: 5 }, (_, index) => [`k${index}`, { Id: index, Label: `P${index}` }]);
  return {
    [`${SIGNAGE}/Players`]: (request) => {
      const from = Number(queryOf(request).get(param) ?? 0);
      const Items = Object.fromEntries(players.slice(from, from + 4));
      return { body: JSON.stringify({ isPartial: from === 0 ? 1 : 0, found: '5', Items }) };
    },
  };
}

describe('check --write finds how a listing is paged by asking', () => {
  it('where a further page is a map of one entry, which proves no map by itself', async () => {
    await using lab = await labs.newLake();
    const resources = await lab.check(mapInPages('offset'), {});
    expect(resources).toMatchObject({ players: { paging: 'offset:offset' } });
    const { status, tables } = await lab.run(
      { scheduledTime: '2026-11-20T03:00:00Z' },
      mapInPages('offset'),
      resources,
    );
    expect({ status, rows: tables['players']?.rows }).toEqual({ status: 'complete', rows: 5 });
  });

  it('where exactly as many records came as servers often give at most', async () => {
    await using lab = await labs.newLake();
    const all = Array.from({ length: 26 }, (_, index) => ({ Id: index, Label: `P${index}` }));
    const capped: Routes = {
      [`${SIGNAGE}/Players`]: (request) => {
        const from = Number(queryOf(request).get('skip') ?? 0);
        return { body: JSON.stringify(all.slice(from, from + 10)) };
      },
    };
    expect(await lab.check(capped, {})).toMatchObject({ players: { paging: 'offset:skip' } });
  });

  it('where the marker of the next page has a name that no other API uses', async () => {
    await using lab = await labs.newLake();
    const all = Array.from({ length: 7 }, (_, index) => ({ Id: index, Label: `P${index}` }));
    const marked: Routes = {
      [`${SIGNAGE}/Players`]: (request) => {
        const from = Number(queryOf(request).get('zapwen')?.replace('m-', '') ?? 0);
        const zapwen = from + 4 < all.length ? `m-${from + 4}` : null;
        return { body: JSON.stringify({ zapwen, data: all.slice(from, from + 4) }) };
      },
    };
    const resources = await lab.check(marked, {});
    expect(resources).toMatchObject({ players: { paging: 'cursor:zapwen@zapwen' } });
    const { status, tables } = await lab.run({ scheduledTime: '2026-11-20T03:00:00Z' }, marked, resources);
    expect({ status, rows: tables['players']?.rows }).toEqual({ status: 'complete', rows: 7 });
  });

  it('and proposes nothing where no parameter in use leads to a second page', async () => {
    await using lab = await labs.newLake();
    expect(await lab.check(mapInPages('zapwen'), {})).toEqual({});
  });
});

interface Api {
  /** What an answer has whose records begin with that one. */
  readonly body: (records: readonly object[], from: number, isLast: boolean) => unknown;
  readonly param: string;
  /** False: those of a player are given whole, whatever is asked. */
  readonly pagesChildren?: boolean;
}

/** 14 players and the screens of each, up to three, in pages of 12. */
function fleetOf({ body, param, pagesChildren = true }: Api): Routes {
  const listing =
    (count: number, isPaged = true): Routes[string] =>
    (request) => {
      const records = Array.from({ length: count }, (_, index) => ({ Id: index + 1, Label: `R${index}` }));
      const from = isPaged ? Number(queryOf(request).get(param)?.replace('t', '') ?? 0) : 0;
      return { body: JSON.stringify(body(records.slice(from, from + 12), from, from + 12 >= count)) };
    };
  const screensOf = (player: number) => listing([3, 1, 0, 2][player % 4] ?? 0, pagesChildren);
  return {
    [`${SIGNAGE}/Players`]: listing(14),
    ...Object.fromEntries(
      Array.from({ length: 14 }, (_, index) => [
        `${SIGNAGE}/Players/${index + 1}/Screens`,
        screensOf(index + 1),
      ]),
    ),
  };
}

const counted: Api['body'] = (records, start) => ({ records, start, limit: 12 });
const bare: Api['body'] = (records) => records;
const tokens: Api['body'] = (records, from, isLast) => ({
  records,
  current_page: `t${from}`,
  next_page: isLast ? null : `t${from + 12}`,
});

describe('check --write pages children as their parents, though none that it sees has a second page', () => {
  it.each([
    ['where the same parameter decides what they give', { body: counted, param: '$skip' }, 'offset:$skip'],
    ['where a bare list is shorter by it', { body: bare, param: 'skip' }, 'offset:skip'],
  ])('%s', async (_, api, paging) => {
    await using lab = await labs.newLake();
    expect(await lab.check(fleetOf(api), {})).toMatchObject({ players: { paging }, screens: { paging } });
  });

  it('but not where they pass over the parameter', async () => {
    await using lab = await labs.newLake();
    for (const body of [counted, bare]) {
      const resources = await lab.check(fleetOf({ body, param: '$skip', pagesChildren: false }), {});
      expect(resources).toMatchObject({ players: { paging: 'offset:$skip' } });
      expect(resources).not.toHaveProperty('screens.paging');
    }
  });

  it('where they have the member that leads on, though it is null', async () => {
    await using lab = await labs.newLake();
    expect(await lab.check(fleetOf({ body: tokens, param: 'cursor' }), {})).toMatchObject({
      players: { paging: 'cursor:cursor' },
      screens: { paging: 'cursor:cursor' },
    });
  });
});

describe('check --write ignores what is true of the server', () => {
  const at = (path: string, total: number, flag: object): Routes => ({
    [`${SIGNAGE}/${path}`]: (request) => {
      const page = Number(queryOf(request).get('page') ?? 1);
      const all = Array.from({ length: total }, (_, index) => ({ Id: index + 1, Name: `R${index}` }));
      return { body: JSON.stringify({ data: all.slice(page * 9 - 9, page * 9), page, total, ...flag }) };
    },
  });

  it('where each listing has it, and the pages of one add up to its total', async () => {
    await using lab = await labs.newLake();
    const flag = { sqlErlaubt: true };
    const routes = { ...at('Players', 12, flag), ...at('AppGroups', 3, flag), ...at('Licenses', 2, flag) };
    const resources = await lab.check(routes, {});
    const ignore = ['sqlErlaubt'];
    expect(resources).toMatchObject({ players: { ignore }, app_groups: { ignore }, licenses: { ignore } });
  });

  it('but not what one listing alone has, nor where no pages add up', async () => {
    await using lab = await labs.newLake();
    const flag = { unvollendet: true };
    expect(await lab.check({ ...at('Players', 12, flag), ...at('AppGroups', 3, {}) }, {})).toEqual({});
    const short = { ...at('Players', 8, flag), ...at('AppGroups', 3, flag), ...at('Licenses', 2, flag) };
    expect(await lab.check(short, {})).toEqual({});
  });
});

it('check --write takes no wrapper for a map of one entry, but the place where another parent has its list', async () => {
  await using lab = await labs.newLake();
  const players = [1, 2, 3, 4].map((Id) => ({ Id, Name: `P${Id}` }));
  const transfer = (Id: number) => ({ Id, Label: `t${Id}` });
  const results = [
    '',
    { Item: transfer(20) },
    { Item: [transfer(30), transfer(31)] },
    { Item: transfer(40) },
  ];
  const routes: Routes = {
    [`${SIGNAGE}/Players`]: { body: JSON.stringify(players) },
    ...Object.fromEntries(
      results.map((Result, index) => [
        `${SIGNAGE}/Players/${index + 1}/PendingFileTransfers`,
        { body: JSON.stringify({ Response: { Result } }) },
      ]),
    ),
  };
  const resources = await lab.check(routes, {});
  expect(resources).toMatchObject({ pending_file_transfers: { items: 'Response.Result.Item' } });
  const { status, tables } = await lab.run({ scheduledTime: '2026-11-20T03:00:00Z' }, routes, resources);
  expect({ status, rows: tables['pending_file_transfers']?.rows }).toEqual({ status: 'complete', rows: 4 });
});

it('check --write takes no objects that are unlike each other for a map, where the list beside them is empty', async () => {
  await using lab = await labs.newLake();
  const answer = (docs: readonly object[]) => ({
    body: JSON.stringify({
      responseHeader: { status: 0, QTime: 2, params: { q: '*:*' } },
      response: { numFound: docs.length, start: 0, numFoundExact: true, docs },
    }),
  });
  const transfers = [[], [], [], []];
  const routes: Routes = {
    [`${SIGNAGE}/Players`]: { body: JSON.stringify([1, 2, 3, 4].map((Id) => ({ Id, Name: `P${Id}` }))) },
    ...Object.fromEntries(
      transfers.map((docs, index) => [`${SIGNAGE}/Players/${index + 1}/PendingFileTransfers`, answer(docs)]),
    ),
  };
  const resources = await lab.check(routes, {});
  expect(resources).not.toMatchObject({ pending_file_transfers: { items: '{}' } });
});

describe('check --write ignores what is the number of records', () => {
  const counting = (count: number, says: (count: number) => object): Routes[string] => {
    const data = Array.from({ length: count }, (_, index) => ({ Id: index + 1, Name: `R${index}` }));
    return { body: JSON.stringify({ data, ...says(count) }) };
  };
  const api = (says: (count: number) => object): Routes => ({
    [`${SIGNAGE}/Players`]: counting(7, says),
    [`${SIGNAGE}/AppGroups`]: counting(3, says),
    [`${SIGNAGE}/Licenses`]: counting(2, says),
    ...Object.fromEntries(
      [1, 2, 3, 4, 5, 6, 7].map((id) => [`${SIGNAGE}/Players/${id}/Screens`, counting(id % 4, says)]),
    ),
  });

  it('where listings of different lengths have it so, and the children as they', async () => {
    await using lab = await labs.newLake();
    const routes = api((Anzahl) => ({ Anzahl }));
    const resources = await lab.check(routes, {});
    const ignore = ['Anzahl'];
    expect(resources).toMatchObject({ players: { ignore }, app_groups: { ignore }, screens: { ignore } });
    const { status, tables } = await lab.run({ scheduledTime: '2026-11-20T03:00:00Z' }, routes, resources);
    expect({ status, rows: tables['players']?.rows }).toEqual({ status: 'complete', rows: 7 });
  });

  it('but not one that is another number beside a listing, such as that of its pages', async () => {
    await using lab = await labs.newLake();
    expect(
      await lab.check(
        api((count) => ({ Seiten: count === 7 ? 7 : 1 })),
        {},
      ),
    ).toEqual({});
    expect(
      await lab.check(
        api(() => ({ Seiten: 7 })),
        {},
      ),
    ).toEqual({});
  });
});
