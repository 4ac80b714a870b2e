import { afterAll, beforeAll, expect, it } from 'vitest';
import { judgeShapes, judgeSteadyShapes } from '../shapes/judge-shapes.ts';
import { type ShapeReader, shapeReader } from '../shapes/read-shape.ts';

/** 10,000 take four minutes. */
const SHAPES = Number(process.env['READ_SHAPES'] ?? 1000);
const STEADY = 200;

let reader: ShapeReader;
beforeAll(async () => {
  reader = await shapeReader();
});
afterAll(() => reader[Symbol.asyncDispose]());

it('answers of a thousand shapes are read whole, or asked about, and three quarters of those that say how they are paged are read', async () => {
  const { explicit, healthy } = (await judgeShapes(reader, SHAPES)).figures();
  expect(explicit.whole / explicit.all).toBeGreaterThanOrEqual(0.75);
  expect(healthy.asked).toBe(0);
});

it('two hundred that answer what they did the day before are asked nothing new', async () => {
  await judgeSteadyShapes(reader, STEADY);
});
