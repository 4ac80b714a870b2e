import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anyShape } from '../shapes/any-shape.ts';
import { faultText, judgeShapes, judgeSteadyShapes } from '../shapes/judge-shapes.ts';
import { NAMED_RUNS } from '../shapes/named-runs.ts';
import { type ShapeReader, shapeReader } from '../shapes/read-shape.ts';
import { type ShapeRunner, shapeRunner } from '../shapes/run-shape.ts';
import { showsPaging, worstOf } from '../shapes/score.ts';
import type { Shape } from '../shapes/shape.ts';
import { isAskedAgain, steadyShape } from '../shapes/steady.ts';
import { isAll } from '../support/drawn.ts';

/** 500 take ten minutes: `npm run nightly` has them. SHAPES_SEED draws others, SHAPES_ONLY=3,17 runs these of them. */
const RUNS = Number(process.env['SHAPES_RUNS'] ?? 6);
const SEED = Number(process.env['SHAPES_SEED'] ?? 501);
const only = process.env['SHAPES_ONLY'];
const ONLY = only === undefined ? null : new Set(only.split(',').map(Number));

let runner: ShapeRunner;
let reader: ShapeReader;
beforeAll(async () => {
  runner = await shapeRunner();
  reader = await shapeReader();
});
afterAll(async () => {
  for (const each of [runner, reader]) await each[Symbol.asyncDispose]();
});

it(
  'players and screens of any shape are in the tables on both days, or asked about with settings that lead there',
  async () => {
    const faults: string[] = [];
    // A fault does not end the search: one class of them would hide all others.
    for (const [run, shape] of fc.sample(anyShape, { numRuns: RUNS, seed: SEED }).entries()) {
      if (ONLY !== null && !ONLY.has(run)) continue;
      const days = await runner.run(shape);
      if (['whole', 'closed', 'refused'].includes(worstOf(days))) continue;
      faults.push(faultText(`SHAPES_SEED=${SEED} SHAPES_ONLY=${run}`, { shape, days }));
    }
    expect(faults, faults.join('\n\n')).toEqual([]);
  },
  Math.max(600_000, RUNS * 10_000),
);

it.each(Object.entries(NAMED_RUNS))('%s is in the tables, or asked about', async (_, shape) => {
  const days = await runner.run(shape);
  expect(['whole', 'closed', 'refused'], faultText('named', { shape, days })).toContain(worstOf(days));
});

/** Of 60 such shapes four were asked about again, before children were held against the others. */
const STEADY = isAll ? 8 : 4;

it('players and screens that are answered as the day before are asked nothing new', async () => {
  const leadsOn = anyShape.filter(({ style }) => style === 'link' || style === 'next' || style === 'token');
  const property = fc.asyncProperty(leadsOn.map(steadyShape), async (shape) => {
    const days = await runner.run(shape);
    expect(isAskedAgain(days), days[1].said).toBe(false);
  });
  await fc.assert(property, { numRuns: STEADY, seed: SEED });
});

/** `check` asks for the screens of so many players: of further ones it may not see that they come in pages. */
const SAMPLED = 20;

it('what check --write writes for a shape that says how it is paged makes the run whole', async () => {
  const isSeen = (shape: Shape) => showsPaging(shape) && shape.counts[0] <= SAMPLED;
  const shapes = fc.sample(anyShape.filter(isSeen), { numRuns: isAll ? 6 : 4, seed: SEED });
  const ends: string[] = [];
  for (const shape of shapes) ends.push(await runner.check(shape));
  expect(ends).toEqual(ends.map(() => 'whole'));
});

it('what check --write writes for any shape never makes a run green and short', async () => {
  const shapes = fc.sample(anyShape, { numRuns: isAll ? 12 : 6, seed: SEED });
  const ends: string[] = [];
  for (const shape of shapes) ends.push(await runner.check(shape));
  expect(ends).toHaveLength(shapes.length);
  expect(ends.filter((end) => end.startsWith('SHORT'))).toEqual([]);
});

/** 10,000 take four minutes. */
const READ = Number(process.env['READ_SHAPES'] ?? 1000);

it('answers of a thousand shapes are read whole, or asked about, and three quarters of those that say how they are paged are read', async () => {
  const { explicit, healthy } = (await judgeShapes(reader, READ)).figures();
  expect(explicit.whole / explicit.all).toBeGreaterThanOrEqual(0.75);
  expect(healthy.asked).toBe(0);
});

it('two hundred that answer what they did the day before are asked nothing new', async () => {
  await judgeSteadyShapes(reader, 200);
});
