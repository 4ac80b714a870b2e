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
