import { afterAll, beforeAll, expect, it } from 'vitest';
import { judgeShapes, judgeSteadyShapes } from './judge-shapes.ts';
import { type ShapeReader, shapeReader } from './read-shape.ts';

/** The first of those that test/slow/read-shapes.test.ts judges. */
const SHAPES = 120;
const STEADY = 30;

let reader: ShapeReader;
beforeAll(async () => {
  reader = await shapeReader();
});
afterAll(() => reader[Symbol.asyncDispose]());

it('an answer of any shape is read whole, or asked about with settings that lead to the whole; never green and short', async () => {
  const score = await judgeShapes(reader, SHAPES);
  expect(score.figures().healthy.asked).toBe(0);
});

it('an API that answers what it did the day before is asked nothing new', async () => {
  await judgeSteadyShapes(reader, STEADY);
});
