import { expect, it } from 'vitest';
import { changeNotes, noteTold, readNotes } from '#lib/news/notes.ts';
import { temporaryLake } from '../support/temporary-lake.ts';

const of = { runId: '20261123T030000Z', attempt: 4 };
const heard = { findings: { 'stale-screens': 3 }, asks: [] };
const WAYS = ['events', 'topic', 'webhook'];

it('of notes that are made at the same time none is lost', async () => {
  await using place = await temporaryLake();
  const { lake } = place;
  await Promise.all([
    ...WAYS.map((way) => noteTold(lake, { of, way, heard })),
    changeNotes(lake, 'pages', () => ['2026-11-23']),
  ]);
  const note = { ...heard, attempts: ['20261123T030000Z.4'] };
  expect(await readNotes(lake)).toEqual({
    ways: Object.fromEntries(WAYS.map((way) => [way, note])),
    pages: ['2026-11-23'],
  });
});

it('a late note of an earlier run leaves that of the newest', async () => {
  await using place = await temporaryLake();
  const { lake } = place;
  for (const attempt of [5, 4]) await noteTold(lake, { of: { ...of, attempt }, way: 'events', heard });
  const { ways } = await readNotes(lake);
  expect(ways['events']?.attempts).toEqual(['20261123T030000Z.5', '20261123T030000Z.4']);
});
