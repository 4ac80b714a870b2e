import fc from 'fast-check';
import { expect } from 'vitest';
import { anyShape } from './any-shape.ts';
import type { ShapeReader } from './read-shape.ts';
import { createScore, worstOf } from './score.ts';
import { isAskedAgain, steadyShape } from './steady.ts';

/** Each run judges the same shapes; READ_SEED draws others. */
const SEED = Number(process.env['READ_SEED'] ?? 3);

/** Of so many shapes that somebody could serve none is incomplete without a word; gives their figures. */
export async function judgeShapes(
  reader: ShapeReader,
  count: number,
): Promise<ReturnType<typeof createScore>> {
  const score = createScore();
  const property = fc.asyncProperty(anyShape, async (shape) => {
    const days = await reader.read(shape);
    score.add(shape, days);
    expect(
      ['whole', 'closed', 'refused', 'open'],
      days.map(({ said, came }) => `${came} ${said}`).join('\n'),
    ).toContain(worstOf(days));
  });
  await fc.assert(property, { numRuns: count, seed: SEED });
  return score;
}

/** Of so many shapes that answer what they did the day before none is asked about again. */
export async function judgeSteadyShapes(reader: ShapeReader, count: number): Promise<void> {
  const property = fc.asyncProperty(anyShape.map(steadyShape), async (shape) => {
    const days = await reader.read(shape);
    expect(isAskedAgain(days), days[1].said).toBe(false);
  });
  await fc.assert(property, { numRuns: count, seed: SEED });
}
