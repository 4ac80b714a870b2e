import { expect, it } from 'vitest';
import { signageViewLab, type ViewLab } from '../queries/view-lab.ts';
import { reportOf } from '../report/report-of.ts';

const at = (day: number) => `2026-11-${19 + day}T03:00:00Z`;
const IDS = Array.from({ length: 12 }, (_, index) => index + 1);
const players = (more: (id: number) => object) => IDS.map((Id) => ({ Id, Name: `P${Id}`, ...more(Id) }));

async function says(lab: ViewLab, day: number, more: (id: number) => object) {
  const { status, sources } = await lab.run(at(day), { players: players(more) });
  return [status, ...(sources[0]?.questions ?? []).map(({ column, says }) => `${column}: ${says}`)];
}

it('last contacts in seconds that all become 0 are told, and nobody is never seen', async () => {
  await using lab = await signageViewLab();
  const seconds = Date.parse(at(1)) / 1000;
  expect(await says(lab, 1, (id) => ({ LastAccess: seconds - 60 * id }))).toEqual(['complete']);
  expect(await says(lab, 2, () => ({ LastAccess: 0 }))).toEqual([
    'partial',
    'last_access: 0 of 12 records have a value; before 2026-11-21 it was 12 of 12',
  ]);
  expect(await lab.rows('select distinct health from player_health')).toEqual([{ health: 'unknown' }]);
});

it('a field that was full on one bad day alone may be empty again', async () => {
  await using lab = await signageViewLab();
  const error = (LastError: string | null) => (id: number) => ({
    LastAccess: at(1),
    LastError: id === 1 ? 'E7 of 1' : LastError && `${LastError} of ${id}`,
  });
  for (const [day, text] of [null, null, 'E1', null, 'E2', null].entries())
    expect(await says(lab, day + 1, error(text))).toEqual(['complete']);
  // Full on two days, it is full.
  expect(await says(lab, 7, error('E3'))).toEqual(['complete']);
  expect(await says(lab, 8, error('E3'))).toEqual(['complete']);
  expect(await says(lab, 9, error(null))).toMatchObject(['partial', expect.stringContaining('last_error')]);
});

it('licences do not say that none ran out where nobody says what is left', async () => {
  await using lab = await signageViewLab();
  const licenses = (more: object) => [1, 2, 3].map((Id) => ({ Id, Type: `T${Id}`, TotalCount: 9, ...more }));
  await lab.run(at(1), { players: players(() => ({})), licenses: licenses({ AvailableCount: 4 }) });
  await lab.run(at(2), { players: players(() => ({})), licenses: licenses({}) });
  const { news } = await reportOf(lab.lake, at(2));
  const counts = news.kinds.find(({ kind }) => kind === 'licences ran out')?.counts;
  expect(counts).toEqual({ '1': null, '7': null, '30': null });
});
