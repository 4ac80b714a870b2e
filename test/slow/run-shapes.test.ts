import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkShape } from '../shapes/check-shape.ts';
import { runShape } from '../shapes/run-shape.ts';
import { worstOf } from '../shapes/score.ts';
import { anyShape } from '../shapes/shape.ts';

/** `npm run shapes -- --runs --count 500 --seed N` runs others. */
const SHAPES = 50;
const SEED = 21;
const CHECKED = 10;

it('shapes through list, collect and tables on two days: whole, or asked about; never green and short', async () => {
  const property = fc.asyncProperty(anyShape, async (shape) => {
    const days = await runShape(shape);
    expect(
      ['whole', 'closed', 'refused'],
      days.map(({ verdict, said, came }) => `${verdict} ${came} ${said}`).join('\n'),
    ).toContain(worstOf(days));
  });
  await fc.assert(property, { numRuns: SHAPES, seed: SEED, endOnFailure: true });
}, 1_200_000);

describe('check --write, then run: whole', () => {
  // Pages whose parameter APIs in use have; what only its operator knows nobody can look for.
  const paged = fc
    .sample(anyShape, { numRuns: 400, seed: SEED })
    .filter(({ style, counts, pageSize, vocabulary, param, firstPage, where, says }) => {
      const isUsual = [
        'page',
        'p',
        'pageNumber',
        'offset',
        'skip',
        'start',
        'cursor',
        'after',
        'token',
      ].includes(param);
      const isCounted = style !== 'page' || firstPage === 1;
      const isAsked = vocabulary !== 'plain' && where !== 'header';
      const isNumbered = style === 'page' || style === 'offset';
      return isNumbered && isUsual && isCounted && isAsked && counts[0] > pageSize && !says.includes('more');
    })
    .slice(0, CHECKED);

  it('has ten shapes', () => expect(paged).toHaveLength(CHECKED));

  it.each(paged.map((shape, index) => [`${index + 1}: ${shape.style} by ${shape.param}`, shape] as const))(
    '%s',
    async (_, shape) => {
      expect(await checkShape(shape)).toBe('whole');
    },
  );
});
