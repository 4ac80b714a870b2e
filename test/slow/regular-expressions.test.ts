import { expect, it } from 'vitest';
import { expressionsIn, faultOf } from '../support/regular-expressions.ts';

it('every regular expression of lib, functions and cli takes a time that grows as the text does', () => {
  const literals = expressionsIn(/^(lib|functions|cli)\//).flatMap(({ place, literal }) =>
    literal === null ? [] : [{ place, literal }],
  );
  expect(literals.length).toBeGreaterThan(100);
  const different = Map.groupBy(literals, ({ literal }) => `/${literal.source}/${literal.flags}`);
  const faults = [...different].flatMap(([text, [first]]) => {
    const fault = first === undefined ? null : faultOf(first.literal);
    return fault === null ? [] : [`${first?.place} ${text} ${fault}`];
  });
  expect(faults).toEqual([]);
});
