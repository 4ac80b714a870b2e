import { expect, test } from 'vitest';
import { createPageProof } from '#lib/api/paging/page-proof.ts';
import { resourceNamed } from '#lib/sources/resources.ts';

test.each(['Id', 'PlayerId', 'player_id', 'player-id', 'Guid'])(
  'a page of the same %s repeats an earlier one, whatever else has changed in its records',
  (field) => {
    const proof = createPageProof(resourceNamed('players'));
    const page = (first: number, seen: number) =>
      [0, 1, 2, 3].map((each) => ({ Name: `as of ${seen}`, [field]: first + each, Seen: seen + each }));
    const ends = [page(1, 100), page(5, 200), page(5, 300)].map((records) => {
      proof.add(records);
      return proof.endPage().isRepeated;
    });
    expect(ends).toEqual([false, false, true]);
  },
);

test('so does one in which a record of ten stands twice', () => {
  const proof = createPageProof(resourceNamed('players'));
  const ends = [1, 2].map((seen) => {
    proof.add([0, 1, 2, 3, 4, 5, 6, 7, 8, 8].map((Id, at) => ({ Id, Seen: `${seen} at ${at}` })));
    return proof.endPage();
  });
  expect(ends).toEqual([
    { isRepeated: false, isFirst: false, isInFirst: false, isOverlap: false },
    { isRepeated: true, isFirst: true, isInFirst: true, isOverlap: false },
  ]);
});

test('a record of a parent that comes on two pages is a repeat, but for the last one that begins the next page', () => {
  const repeatsOf = (pages: readonly (readonly number[])[], name: 'screens' | 'players' = 'screens') => {
    const proof = createPageProof(resourceNamed(name));
    for (const page of pages) {
      proof.add(page.map((Id) => ({ Id, Name: `Screen ${Id}` })));
      proof.endPage();
    }
    return proof.repeats();
  };
  expect(repeatsOf([[0, 1, 2, 3, 4], [2, 3, 6, 7, 8], [9]])).toBe(2);
  expect(
    repeatsOf([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 0],
    ]),
  ).toBe(1);
  expect(
    repeatsOf([
      [0, 1, 2],
      [2, 3, 4],
      [4, 5],
    ]),
  ).toBe(0);
  // Those of a listing without parent are counted by their ids.
  expect(repeatsOf([[0, 1, 2, 3, 4], [2, 3, 6, 7, 8], [9]], 'players')).toBe(0);
});
