import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shortOf } from '../healthy/short-of.ts';
import { type ChangeLab, changeLab } from '../meaning/change-lab.ts';
import { CHANGES, drawChanged, nameOf } from '../meaning/draw-change.ts';

/** 500 take a quarter of an hour of CPU: `npm run meaning`. MEANING_SEED draws others. */
const LIVES = Number(process.env['MEANING_LIVES'] ?? 12);
const SEED = Number(process.env['MEANING_SEED'] ?? 1);

describe('R12: a healthy life with one change of meaning reports it on its day, and without the change nothing', () => {
  let lab: ChangeLab;
  beforeAll(async () => {
    lab = await changeLab();
  });
  afterAll(() => lab[Symbol.asyncDispose]());

  // Of few lives every second change, and with another seed the others.
  const step = LIVES < CHANGES ? 2 : 1;
  const numbers = Array.from({ length: LIVES }, (_, index) => step * index + (SEED % step));
  it.each(numbers)(`seed ${SEED}, life %i`, async (number) => {
    const changed = drawChanged({ seed: SEED, number });
    const lived = await lab.live(changed);
    expect(lived.false, shortOf(changed.life)).toEqual([]);
    expect(lived.missed, `${nameOf(changed)}: ${shortOf(changed.life)}`).toEqual([]);
  });
});
