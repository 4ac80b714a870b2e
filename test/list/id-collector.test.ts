import { expect, it } from 'vitest';
import { idCollector } from '#lib/list/id-collector.ts';
import { resourceNamed } from '#lib/sources/resources.ts';

const players = resourceNamed('players');

function decided(records: readonly object[], setting?: string) {
  const collector = idCollector(players, setting);
  collector.add(records);
  const { field, ids, lacking, doubts } = collector.decide();
  return { field, ids: [...ids], lacking, doubts };
}

const many = (record: (index: number) => object) => Array.from({ length: 23 }, (_, index) => record(index));

it.each([
  [
    'Id before a Code',
    [
      { Id: 1, Code: 'a' },
      { Id: 2, Code: 'b' },
    ],
    'Id',
    ['1', '2'],
  ],
  [
    "the records' own id before the key of their map",
    [
      { $key: 'a', Id: 7 },
      { $key: 'b', Id: 8 },
    ],
    'Id',
    ['7', '8'],
  ],
  ['the key of their map where they have no id', [{ $key: 'a' }, { $key: 'b' }], '$key', ['a', 'b']],
  [
    '_id where there is no other',
    [
      { _id: 'a', Name: 'x' },
      { _id: 'b', Name: 'y' },
    ],
    '_id',
    ['a', 'b'],
  ],
  [
    'id before _id',
    [
      { _id: 'a', id: 5 },
      { _id: 'b', id: 6 },
    ],
    'id',
    ['5', '6'],
  ],
  ['1.0 and 1e3, which are 1 and 1000', JSON.parse('[{"Id": 1.0}, {"Id": 1e3}]'), 'Id', ['1', '1000']],
  [
    'a Code where no Id is near',
    [
      { Id: null, Code: 'a' },
      { Id: null, Code: 'b' },
    ],
    'Code',
    ['a', 'b'],
  ],
  [
    'a Code where Id is that of all',
    [
      { Id: 7, Code: 'a' },
      { Id: 7, Code: 'b' },
    ],
    'Code',
    ['a', 'b'],
  ],
])('takes %s', (_, records, field, ids) => {
  expect(decided(records)).toEqual({ field, ids, lacking: 0, doubts: [] });
});

it.each([1, 2])('leaves an Id that %i of 200 records lack to the operator', (lacking) => {
  const records = Array.from({ length: 200 }, (_, index) => (index < lacking ? { V: index } : { Id: index }));
  const found = decided(records);
  expect(found.field).toBeUndefined();
  expect(found.doubts[0]).toEqual({ field: 'Id', lacking, repeats: 0 });
});

it.each(['Type', 'Name', 'name'])('leaves %s to the operator', (field) => {
  expect(decided([{ [field]: 'a' }, { [field]: 'b' }])).toEqual({
    field: undefined,
    ids: [],
    lacking: 0,
    doubts: [{ field, lacking: 0, repeats: 0 }],
  });
});

it('leaves it to the operator where a better field is null once, and names both', () => {
  const records = many((index) => ({ Id: index === 5 ? null : index, Code: `c${index}`, Name: `n${index}` }));
  expect(decided(records)).toMatchObject({
    field: undefined,
    doubts: [
      { field: 'Id', lacking: 1, repeats: 0 },
      { field: 'Code', lacking: 0, repeats: 0 },
      { field: 'Name', lacking: 0, repeats: 0 },
    ],
  });
});

it('leaves it to the operator where a better field is one too few, and the first record lacks it', () => {
  const records = many((index) => ({ ...(index > 0 && { Id: index }), Code: `c${index}` }));
  expect(decided(records).doubts.map(({ field }) => field)).toEqual(['Id', 'Code']);
});

it('leaves it to the operator where a better field repeats once, in records that are not the same', () => {
  const records = many((index) => ({ Id: index === 5 ? 4 : index, Code: `c${index}` }));
  expect(decided(records)).toMatchObject({
    field: undefined,
    doubts: [{ field: 'Id', lacking: 0, repeats: 1 }, { field: 'Code' }],
  });
});

it('takes the field that the config names, whatever it lacks or repeats', () => {
  const records = many((index) => ({ Id: index === 5 ? null : index === 6 ? 7 : index }));
  expect(decided(records, 'id')).toMatchObject({ field: 'Id', lacking: 1, doubts: [] });
  expect(decided(records, 'id').ids).toHaveLength(21);
});

it.each([
  ['node.Id', [{ node: { Id: 1 } }, { node: { Id: 2 } }]],
  ['_id.$oid', [{ _id: { $oid: '1' } }, { _id: { $oid: '2' } }]],
  ['_links.self.href/*', ['1', '2'].map((id) => ({ _links: { self: { href: `/api/players/${id}` } } }))],
  [
    'node.Id',
    [
      { 'node.Id': 1, node: { Id: 8 } },
      { 'node.Id': 2, node: { Id: 9 } },
    ],
  ],
])('reads %s below a level, where the config names it', (setting, records) => {
  expect(decided(records, setting)).toMatchObject({ field: setting, ids: ['1', '2'], lacking: 0 });
});
