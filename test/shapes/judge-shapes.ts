import fc from 'fast-check';
import { expect } from 'vitest';
import { anyShape } from './any-shape.ts';
import type { DayRead, ShapeReader } from './read-shape.ts';
import { createScore, worstOf } from './score.ts';
import type { Shape } from './shape.ts';
import { isAskedAgain, steadyShape } from './steady.ts';

/** Each run judges the same shapes; READ_SEED draws others. */
const SEED = Number(process.env['READ_SEED'] ?? 3);

/** Of so many shapes that somebody could serve none is incomplete without a word; gives their figures. */
export async function judgeShapes(reader: ShapeReader, count: number) {
  const score = createScore();
  const faults: string[] = [];
  for (const [run, shape] of fc.sample(anyShape, { numRuns: count, seed: SEED }).entries()) {
    const days = await reader.read(shape);
    score.add(shape, days);
    if (['whole', 'closed', 'refused', 'open'].includes(worstOf(days))) continue;
    faults.push(faultText(`READ_SEED=${SEED}, shape ${run}`, { shape, days }));
  }
  expect(faults, faults.join('\n\n')).toEqual([]);
  return score;
}

/** A shape that was read wrong, for a reader of the failure. */
export function faultText(
  where: string,
  { shape, days }: { readonly shape: Shape; readonly days: readonly DayRead[] },
): string {
  const said = days.map(({ verdict, said, came }) => `${verdict} ${came} ${said}`).join('\n');
  return `${where}\n${said}\n${JSON.stringify(shape)}`;
}

/** Of so many shapes that answer what they did the day before none is asked about again. */
export async function judgeSteadyShapes(reader: ShapeReader, count: number): Promise<void> {
  const property = fc.asyncProperty(anyShape.map(steadyShape), async (shape) => {
    const days = await reader.read(shape);
    expect(isAskedAgain(days), days[1].said).toBe(false);
  });
  await fc.assert(property, { numRuns: count, seed: SEED });
}
