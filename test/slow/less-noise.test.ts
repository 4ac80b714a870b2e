import { expect, it } from 'vitest';
import { signageViewLab, type ViewLab } from '../queries/view-lab.ts';

const IDS = Array.from({ length: 12 }, (_, index) => index + 1);
const seen = (at: (id: number) => unknown) => ({
  players: IDS.map((Id) => ({ Id, LastAccess: at(Id), DiskUsed: Id })),
});
const usual = (id: number) => `2026-11-19T10:00:${String(id).padStart(2, '0')}Z`;
const first = (other: unknown) => seen((id) => (id === 1 ? other : usual(id)));

async function day(lab: ViewLab, date: number, said: object) {
  const { tables } = await lab.run(`2026-11-${date}T03:00:00Z`, said);
  const rejects = await lab.flat(
    `select reason || ' ' || count from rejects where column_name = 'last_access' and export_date = '2026-11-${date}'`,
  );
  return [tables['players']?.rejected, ...rejects];
}

const OF_FIRST = `select last_access::varchar from players where record_key = '1'`;

it('"" in a column of times is null, and counted on two days alone', async () => {
  await using lab = await signageViewLab();
  expect(await day(lab, 20, first(''))).toEqual([1, 'sentinel 1']);
  expect(await day(lab, 21, first(''))).toEqual([1, 'sentinel 1']);
  expect(await day(lab, 22, first(''))).toEqual([0]);
  expect(await lab.flat(OF_FIRST)).toEqual([null]);
  // What is not a time is told as ever.
  const odd = seen((id) => [undefined, '', 'soon'][id] ?? usual(id));
  expect(await day(lab, 23, odd)).toEqual([1, 'type 1']);
});

const ZERO = '1970-01-01T00:00:00Z';

it.each([
  ['no time where all other times are years later', usual, [1, 'sentinel 1'], null],
  ['a time where another one is of those years', () => '1971-05-02T00:00:00Z', [0], '1970-01-01 00:00:00'],
])('1970-01-01T00:00:00Z is %s', async (_, second, told, cell) => {
  await using lab = await signageViewLab();
  const said = seen((id) => [undefined, ZERO, second(2)][id] ?? usual(id));
  expect(await day(lab, 20, said)).toEqual(told);
  expect(await lab.flat(OF_FIRST)).toEqual([cell]);
});
