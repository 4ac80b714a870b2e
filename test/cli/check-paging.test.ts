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

const records = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ Id: index, Label: `P${index}` }));
const all = records(27);

describe('check --write finds how a listing is paged', () => {
  it('where the marker of the next page has a name that no other API uses', async () => {
    await using lab = await labs.newLake();
    const marked: Routes = {
      [`${SIGNAGE}/Players`]: (request) => {
        const from = Number(queryOf(request).get('zapwen')?.replace('m-7000', '') ?? 0);
        const zapwen = from + 12 < all.length ? `m-7000${from + 12}` : null;
        return { body: JSON.stringify({ zapwen, data: all.slice(from, from + 12) }) };
      },
    };
    const resources = await lab.check(marked, {});
    expect(resources).toMatchObject({ players: { paging: 'cursor:zapwen@zapwen' } });
    const { tables } = await lab.run({ scheduledTime: '2026-11-20T03:00:00Z' }, marked, resources);
    expect(tables['players']?.rows).toBe(27);
  });

  /** 20 players, the address of others in a member that no other API has, and what is there. */
  const addressed = (others: { readonly status?: number; readonly body: string }): Routes => ({
    [`${SIGNAGE}/Players`]: (request) =>
      queryOf(request).has('ab')
        ? others
        : { body: JSON.stringify({ items: all.slice(0, 20), weiter: `${SIGNAGE}/Players?ab=20` }) },
  });

  it('where the address of the next page has such a name', async () => {
    await using lab = await labs.newLake();
    const body = JSON.stringify({ items: all.slice(20), weiter: null });
    expect(await lab.check(addressed({ body }), {})).toMatchObject({ players: { paging: 'next@weiter' } });
  });

  it('and takes the style back where the next page fails', async () => {
    await using lab = await labs.newLake();
    expect(await lab.check(addressed({ status: 403, body: '{}' }), {})).toEqual({});
  });

  it('and proposes nothing where no parameter in use leads to a second page', async () => {
    await using lab = await labs.newLake();
    const players = { body: JSON.stringify({ isPartial: 1, items: all.slice(0, 12) }) };
    expect(await lab.check({ [`${SIGNAGE}/Players`]: players }, {})).toEqual({});
  });
});

/** Players, and screens of the first one, in pages of 12 and 3: each page says whether there are more, and not how to get them. */
function fleetOf(screens: number): Routes {
  const listing =
    (count: number, size: number): Routes[string] =>
    (request) => {
      const from = Number(queryOf(request).get('skip') ?? 0);
      const items = records(count).slice(from, from + size);
      return { body: JSON.stringify({ items, hasMore: from + size < count }) };
    };
  return {
    [`${SIGNAGE}/Players`]: listing(14, 12),
    [`${SIGNAGE}/Players/0/Screens`]: listing(screens, 3),
  };
}

it.each([2, 8])(
  'check --write needs no setting where children are paged as their parents: %i',
  async (screens) => {
    await using lab = await labs.newLake();
    const fleet = fleetOf(screens);
    expect(await lab.check(fleet, {})).toEqual({});
    const { status, tables } = await lab.run({ scheduledTime: '2026-11-20T03:00:00Z' }, fleet, {});
    expect([status, tables['players']?.rows, tables['screens']?.rows]).toEqual(['complete', 14, screens]);
  },
);

it.each([{ sqlErlaubt: true }, { Anzahl: 12 }, { unvollendet: true }])(
  'check --write writes nothing for a member that says nothing of pages: %j',
  async (member) => {
    await using lab = await labs.newLake();
    const players = { body: JSON.stringify({ data: all.slice(0, 12), ...member }) };
    expect(await lab.check({ [`${SIGNAGE}/Players`]: players }, {})).toEqual({});
  },
);

it('check --write takes no wrapper for a map of one entry, for another parent shows where the list is', async () => {
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
  expect(resources).not.toHaveProperty('pending_file_transfers.items');
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
