import { expect, test } from 'vitest';
import { cutSlices } from '#lib/api/records/slices.ts';
import { bodyOf } from './support/body-of.ts';
import { foundIn } from './support/found-records.ts';

/** Records that DuckDB would read wrongly if a number of theirs were written again. */
const record = (index: number) =>
  `{"Id":${index},"Exact":1.${'0'.repeat(20)}${index % 9},"L":"ü, \\"${index}\\"]}"}`;
/** More than one piece of 64 KiB. */
const MANY = Array.from({ length: 3000 }, (_, index) => record(index));
const values = (text: string) => text.slice(1, -1).replaceAll(/"(?:Id|Exact|L)":/g, '');
const list = (records: readonly string[]) => `[${records.join(',')}]`;

type Written = (records: readonly string[]) => string;

const FORMS: ReadonlyArray<readonly [items: string, written: Written]> = [
  ['$', (records) => list(records)],
  ['$', (records) => list([...records.slice(0, 2), 'null', ...records.slice(2)])],
  ['data[].Player{1}', (records) => `{"data":${list(records.map((each) => `{"Player":${each}}`))}}`],
  ['$[].screens', (records) => `[{"screens":${list(records)}}]`],
  [
    '$[].screens',
    (records) => `[{"screens":${list(records.slice(0, 1))}}, {"screens":${list(records.slice(1))}}]`,
  ],
  ['data{}', (records) => `{"data":{${records.map((each, index) => `"k${index}":${each}`).join()}}}`],
  [
    'rows[columns]',
    (records) => `{"columns":["Id","Exact","L"],"rows":${list(records.map((each) => `[${values(each)}]`))}}`,
  ],
];

const cases = FORMS.flatMap(([items, written]) => [3000, 3].map((count) => [items, count, written] as const));
test.each(cases)(
  'records in a form that items names are read as they are written, and the body stays: %s: %i records',
  async (items, count, written) => {
    const records = MANY.slice(0, count);
    const text = written(records);
    const body = await bodyOf(text, { pieceBytes: 10_000 });
    const slices = [...cutSlices(body, foundIn(body, { setting: items }).place)];
    expect(Buffer.concat(slices.map((slice) => slice.body)).toString()).toBe(text);
    const read = slices.flatMap((slice) => slice.records);
    expect(read.map((each) => Reflect.get(Object(each), 'Id'))).toEqual(records.map((_, index) => index));
    expect(slices.reduce((sum, slice) => sum + slice.items, 0)).toBe(records.length);
    const texts = slices.flatMap(({ mended, body: own }) => mended ?? own.toString()).join('');
    for (const index of [0, count - 1]) expect(texts).toContain(`1.${'0'.repeat(20)}${index % 9}`);
    body.close();
  },
);

test.each([
  [
    'data[].Player{1}',
    '{"data":[{"Player":{"Id":1}},{"Name":"x"}]}',
    /^An entry has null in place of a record/,
  ],
  ['$[].screens', '[{"screens":[{"Id":1}]},{"screens":7}]', /^screens of an entry is a number, not a list/],
  ['rows[columns]', '{"columns":["Id"],"rows":[[1],[2,3]]}', /^A row has 2 values for 1 columns/],
])('of %s, %s has an entry without a record', async (setting, text, says) => {
  const body = await bodyOf(text);
  expect(() => [...cutSlices(body, foundIn(body, { setting }).place)]).toThrow(says);
});

test.each([
  '[{"Player":{"Id":1,"On":true}},{"Player":{"Id":2,"On":true}}]',
  '[{"Player":{"Id":1,"On":true}},{"Player":{"Id":2,"On":true}},{"Player":{"On":true}}]',
  '[{"players":[{"Id":1},{"Id":2}]}]',
])('the setting id vouches for entries that have it, and not for %s', async (text) => {
  const body = await bodyOf(text);
  const find = (id: string) => () => foundIn(body, { id });
  expect(find('Id')).toThrow(/resources\.players\.items to "\$\[\]/);
  expect(find(text.includes('Player"') ? 'Player.Id' : 'players')).not.toThrow();
});
