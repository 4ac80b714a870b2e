import { expect, it } from 'vitest';
import { idCollector } from '#lib/list/id-collector.ts';
import { resourceNamed } from '#lib/sources/resources.ts';

const players = resourceNamed('players');

/** What is decided of these records, as the API writes them. */
function decided(records: string, setting?: string) {
  const collector = idCollector(players, setting);
  collector.add(JSON.parse(records));
  const { field, ids, lacking, doubts } = collector.decide();
  return { field, ids: [...ids], lacking, doubts };
}

const many = (record: (index: number) => object, length = 23) =>
  JSON.stringify(Array.from({ length }, (_, index) => record(index)));

it.each([
  ['Id before a Code', '[{"Id":1,"Code":"a"},{"Id":2,"Code":"b"}]', 'Id', '1 2'],
  ["a record's own id before the key of its map", '[{"$key":"a","Id":7},{"$key":"b","Id":8}]', 'Id', '7 8'],
  ['the key of their map where they have no id', '[{"$key":"a"},{"$key":"b"}]', '$key', 'a b'],
  ['_id where there is no other', '[{"_id":"a","Name":"x"},{"_id":"b","Name":"y"}]', '_id', 'a b'],
  ['id before _id', '[{"_id":"a","id":5},{"_id":"b","id":6}]', 'id', '5 6'],
  ['1.0 and 1e3, which are 1 and 1000', '[{"Id": 1.0}, {"Id": 1e3}]', 'Id', '1 1000'],
  ['a Code where no Id is near', '[{"Id":null,"Code":"a"},{"Id":null,"Code":"b"}]', 'Code', 'a b'],
  ['a Code where Id is that of all', '[{"Id":7,"Code":"a"},{"Id":7,"Code":"b"}]', 'Code', 'a b'],
])('takes %s', (_, records, field, ids) => {
  expect(decided(records)).toEqual({ field, ids: ids.split(' '), lacking: 0, doubts: [] });
});

/** Fields by which the operator may tell records apart, each with how many lack it and how many repeat it. */
const doubtsOf = (records: string) => {
  const { field, doubts } = decided(records);
  return [field, ...doubts.map((doubt) => `${doubt.field} ${doubt.lacking} ${doubt.repeats}`)];
};

it.each([
  ['one of 200 records lacks it', many((index) => (index < 1 ? { V: 0 } : { Id: index }), 200), 'Id 1 0'],
  ['two of 200 lack it', many((index) => (index < 2 ? { V: index } : { Id: index }), 200), 'Id 2 0'],
  ['it is a Type', '[{"Type":"a"},{"Type":"b"}]', 'Type 0 0'],
  ['it is a Name', '[{"Name":"a"},{"Name":"b"}]', 'Name 0 0'],
  ['it is a name', '[{"name":"a"},{"name":"b"}]', 'name 0 0'],
  [
    'a better one is null once',
    many((index) => ({ Id: index === 5 ? null : index, Code: `c${index}`, Name: `n${index}` })),
    'Id 1 0, Code 0 0, Name 0 0',
  ],
  [
    'the first record lacks a better one',
    many((index) => ({ ...(index > 0 && { Id: index }), Code: `c${index}` })),
    'Id 1 0, Code 0 0',
  ],
  [
    'a better one repeats once, in records that are not the same',
    many((index) => ({ Id: index === 5 ? 4 : index, Code: `c${index}` })),
    'Id 0 1, Code 0 0',
  ],
])('leaves a field to the operator where %s', (_, records, doubts) => {
  expect(doubtsOf(records)).toEqual([undefined, ...doubts.split(', ')]);
});

it('takes the field that the config names, whatever it lacks or repeats', () => {
  const records = many((index) => ({ Id: index === 5 ? null : index === 6 ? 7 : index }));
  expect(decided(records, 'id')).toMatchObject({ field: 'Id', lacking: 1, doubts: [] });
  expect(decided(records, 'id').ids).toHaveLength(21);
});

it.each([
  ['node.Id', '[{"node":{"Id":1}},{"node":{"Id":2}}]'],
  ['_id.$oid', '[{"_id":{"$oid":"1"}},{"_id":{"$oid":"2"}}]'],
  [
    '_links.self.href/*',
    '[{"_links":{"self":{"href":"/api/players/1"}}},{"_links":{"self":{"href":"/api/players/2"}}}]',
  ],
  ['node.Id', '[{"node.Id":1,"node":{"Id":8}},{"node.Id":2,"node":{"Id":9}}]'],
])('reads %s below a level, where the config names it', (setting, records) => {
  expect(decided(records, setting)).toMatchObject({ field: setting, ids: ['1', '2'], lacking: 0 });
});
