import { expect, it } from 'vitest';
import { changeNotes, noteTold, readNotes, wasTold } from '#lib/news/notes.ts';
import { temporaryLake } from '../support/temporary-lake.ts';

const of = { runId: '20261123T030000Z', attempt: 4 };
const heard = { findings: { 'stale-screens': 3 }, asks: [] };
const WAYS = ['events', 'topic', 'webhook'];

it('of notes that are made at the same time none is lost, and another attempt has none', async () => {
  await using place = await temporaryLake();
  const { lake } = place;
  await Promise.all([
    ...WAYS.map((way) => noteTold(lake, { of, way, heard })),
    changeNotes(lake, (notes) => ({ ...notes, pages: ['2026-11-23'] })),
  ]);
  const notes = await readNotes(lake);
  expect(WAYS.map((way) => [wasTold(notes, way, of), wasTold(notes, way, { ...of, attempt: 5 })])).toEqual(
    Array(3).fill([true, false]),
  );
  expect(notes.ways['topic']).toMatchObject(heard);
  expect(notes.pages).toEqual(['2026-11-23']);
});

it('a late note of an earlier run leaves that of the newest', async () => {
  await using place = await temporaryLake();
  const { lake } = place;
  for (const attempt of [5, 4]) await noteTold(lake, { of: { ...of, attempt }, way: 'events', heard });
  const notes = await readNotes(lake);
  expect([4, 5].map((attempt) => wasTold(notes, 'events', { ...of, attempt }))).toEqual([true, true]);
});
