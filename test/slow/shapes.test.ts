import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ShapeRunner, shapeRunner } from '../shapes/run-shape.ts';
import { isExplicit, worstOf } from '../shapes/score.ts';
import { anyShape } from '../shapes/shape.ts';

/** 500 take ten minutes: `npm run shapes -- --runs --count 500`, which draws others by `--seed`. */
const RUNS = 50;
const SEED = Number(process.env['SHAPES_SEED'] ?? 501);

let runner: ShapeRunner;
beforeAll(async () => {
  runner = await shapeRunner();
});
afterAll(() => runner[Symbol.asyncDispose]());

it('players and screens of any shape are in the tables on both days, or asked about with settings that lead there', async () => {
  const property = fc.asyncProperty(anyShape, async (shape) => {
    const days = await runner.run(shape);
    expect(
      ['whole', 'closed', 'refused'],
      days.map(({ said, came }) => `${came} ${said}`).join('\n'),
    ).toContain(worstOf(days));
  });
  await fc.assert(property, { numRuns: RUNS, seed: SEED });
}, 600_000);

/** Of ten; the others have a parameter for their pages that no answer names, or say by one word that pages and records are missing. */
const WHOLE_AFTER_CHECK = 8;

it('what check --write writes for a shape that says how it is paged makes the run whole, and never green and short', async () => {
  const shapes = fc.sample(anyShape.filter(isExplicit), { numRuns: 10, seed: SEED });
  const ends: string[] = [];
  for (const shape of shapes) ends.push(await runner.check(shape));
  expect(ends.filter((end) => end.startsWith('SHORT'))).toEqual([]);
  const others = ends.filter((end) => end !== 'whole');
  expect(ends.length - others.length, others.join('\n')).toBeGreaterThanOrEqual(WHOLE_AFTER_CHECK);
}, 120_000);
