import { expect, it } from 'vitest';
import { earlierPages, type Found, foundLast, notePage, noteTold, WAYS, waysTold } from '#lib/news/told.ts';
import { temporaryLake } from '../support/temporary-lake.ts';

const of = { runId: '20261123T030000Z', attempt: 4 };
const found: Found = { ...of, findings: { 'stale-screens': 3 }, asks: [] };

it('of ways that are noted at the same time none is lost, and another attempt has none', async () => {
  await using place = await temporaryLake();
  const { lake } = place;
  await Promise.all(WAYS.map((way) => noteTold(lake, { of, way, found })));
  expect(await waysTold(lake, of)).toEqual(WAYS);
  expect(await foundLast(lake)).toEqual(Object.fromEntries(WAYS.map((way) => [way, found])));
  expect(await waysTold(lake, { ...of, attempt: 5 })).toEqual([]);
});

it('what a way was told and the dates of pages are there for the next commit', async () => {
  await using place = await temporaryLake();
  const { lake } = place;
  expect([await foundLast(lake), await earlierPages(lake, '2026-11-23')]).toEqual([{}, []]);
  await notePage(lake, { exportDate: '2026-11-22', gone: [] });
  await noteTold(lake, { of, way: 'events', found });
  await notePage(lake, { exportDate: '2026-11-23', gone: [] });
  expect(await foundLast(lake)).toEqual({ events: found });
  expect(await earlierPages(lake, '2026-11-23')).toEqual(['2026-11-22']);
  await notePage(lake, { exportDate: '2026-11-24', gone: ['2026-11-22'] });
  expect(await earlierPages(lake, '2026-11-24')).toEqual(['2026-11-23']);
});
