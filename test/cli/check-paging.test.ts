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

  it('and proposes nothing where no parameter in use leads to a second page', async () => {
    await using lab = await labs.newLake();
    expect(await lab.check(mapInPages('zapwen'), {})).toEqual({});
  });
});
