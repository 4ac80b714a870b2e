import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ShapeReader, shapeReader } from './read-shape.ts';
import { createScore, worstOf } from './score.ts';
import { anyShape } from './shape.ts';
import { isAskedAgain, steadyShape } from './steady.ts';

/** 10,000 take four minutes: `npm run shapes -- --count 10000`. */
const SHAPES = 1000;
const STEADY = 200;
/** Each run judges the same shapes; `npm run shapes -- --seed N` draws others. */
const SEED = 3;

let reader: ShapeReader;
beforeAll(async () => {
  reader = await shapeReader();
});
afterAll(() => reader[Symbol.asyncDispose]());

it('an answer of any shape is read whole, or asked about with settings that lead to the whole; never green and short', async () => {
  const score = createScore();
  const property = fc.asyncProperty(anyShape, async (shape) => {
    const days = await reader.read(shape);
    score.add(shape, days);
    expect(
      ['whole', 'closed', 'refused'],
      days.map(({ said, came }) => `${came} ${said}`).join('\n'),
    ).toContain(worstOf(days));
  });
  await fc.assert(property, { numRuns: SHAPES, seed: SEED });
  const { explicit, healthy } = score.figures();
  expect(explicit.whole / explicit.all).toBeGreaterThanOrEqual(0.5);
  expect(healthy.asked).toBe(0);
}, 120_000);

it('an API that answers what it did the day before is asked nothing new', async () => {
  const property = fc.asyncProperty(anyShape.map(steadyShape), async (shape) => {
    const days = await reader.read(shape);
    expect(isAskedAgain(days), days[1].said).toBe(false);
  });
  await fc.assert(property, { numRuns: STEADY, seed: SEED });
}, 120_000);
