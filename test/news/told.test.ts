import { expect, it } from 'vitest';
import {
  earlierPages,
  type Found,
  foundLast,
  notePage,
  noteRefused,
  noteTold,
  takeWay,
} from '#lib/news/told.ts';
import { temporaryLake } from '../support/temporary-lake.ts';

const of = { runId: '20261123T030000Z', attempt: 4 };
const found: Found = { ...of, findings: { 'stale-screens': 3 }, asks: [] };

it('of calls that come at the same time one takes a way, and none takes it once it is told', async () => {
  await using place = await temporaryLake();
  const { lake } = place;
  const calls = Array.from({ length: 5 }, () => takeWay(lake, { of, way: 'topic' }));
  expect((await Promise.all(calls)).toSorted()).toEqual(['begun', 'begun', 'begun', 'begun', 'taken']);
  expect(await takeWay(lake, { of, way: 'events' })).toBe('taken');
  await noteRefused(lake, { of, way: 'topic' });
  expect(await takeWay(lake, { of, way: 'topic' })).toBe('taken');
  await noteTold(lake, { of, way: 'topic', found });
  expect(await takeWay(lake, { of, way: 'topic' })).toBe('told');
  expect(await takeWay(lake, { of: { ...of, attempt: 5 }, way: 'topic' })).toBe('taken');
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
