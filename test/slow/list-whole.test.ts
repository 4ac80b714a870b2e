import { expect, test } from 'vitest';
import { SIGNAGE_ALONE } from '../support/export-lab.ts';
import { type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';

/* A listing whose pages contradict one another in each of three readings: records come twice, or the declared total falls. */

/** Players alone, which have no screens. */
const labOf = (players: object = {}) => ({
  ...SIGNAGE_ALONE,
  signage: { resources: { players, screens: { complete: true } } },
});
const PLAYERS = `${SIGNAGE}/Players`;
const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

interface Pages {
  /** The ids on each page of 20. */
  readonly pages: readonly (readonly number[])[];
  readonly says: (page: number) => object;
}

/** Pages by their offset, as many as there are; behind them nothing. */
function paged({ pages, says }: Pages): Routes {
  return {
    [PLAYERS]: ({ url = '' }) => {
      const offset = Number(new URL(url, 'http://server').searchParams.get('offset') ?? 0);
      const page = Math.floor(offset / 20);
      const items = (pages[page] ?? []).map((Id) => ({ Id, Name: `Player ${Id}` }));
      return { body: JSON.stringify({ items, offset, limit: 20, ...says(page) }) };
    },
  };
}

// Rows 18 and 19 come twice, and 20 and 21 never: as many as are declared.
const SORTED_BY_NOTHING = [ids(0, 20), [18, 19, ...ids(22, 40)], ids(40, 57)];

test('records that come twice while as many are missing are no whole listing, from the first run on', async () => {
  await using lab = await signageLab(
    paged({ pages: SORTED_BY_NOTHING, says: () => ({ total: 57 }) }),
    labOf(),
  );
  const { status, sources } = await lab.run('2026-11-20T03:00:00Z');
  expect(status).toBe('failed');
  expect(sources[0]?.error).toMatchObject({
    code: 'LISTING_UNSTABLE',
    message: expect.stringMatching(/2 records came twice.*resources\.players\.complete to true/),
  });
  expect((await lab.run('2026-11-20T03:30:00Z')).status).toBe('failed');
  const settings = labOf({ complete: true });
  const declared = await lab.run('2026-11-20T04:00:00Z', undefined, settings);
  expect(declared.status).toBe('complete');
  // Later runs know that the server has them twice.
  expect((await lab.run('2026-11-21T03:00:00Z', undefined, labOf())).status).toBe('complete');
});

test('a total that falls while the pages are read, with fewer records than it was, is no whole listing', async () => {
  const whole = [ids(0, 20), ids(20, 40), ids(40, 57)];
  await using lab = await signageLab(paged({ pages: whole, says: () => ({ total: 57 }) }), labOf());
  await lab.run('2026-11-20T03:00:00Z');
  const falling = paged({ pages: whole.slice(0, 2), says: (page) => ({ total: page === 0 ? 57 : 40 }) });
  const { status } = await lab.run('2026-11-21T03:00:00Z', falling);
  expect(status).not.toBe('complete');
  expect(
    await lab.rows("select resource, error_code from outcomes where outcome = 'failed' order by all"),
  ).toEqual([{ resource: 'players', error_code: 'LISTING_UNSTABLE' }]);
  expect(await lab.rows("select * from changes where change = 'removed'")).toEqual([]);
});
