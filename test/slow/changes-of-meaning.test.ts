import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shortOf } from '../healthy/shrink.ts';
import { type ChangeLab, changeLab } from '../meaning/change-lab.ts';
import { CHANGES, drawChanged, nameOf } from '../meaning/draw-change.ts';

/** 500 take a quarter of an hour of CPU: `npm run meaning`, which draws others by `--seed`. */
const LIVES = 12;
const SEED = Number(process.env['MEANING_SEED'] ?? 1);

describe('R12: a healthy life with one change of meaning reports it on its day, and without the change nothing', () => {
  let lab: ChangeLab;
  beforeAll(async () => {
    lab = await changeLab();
  });
  afterAll(() => lab[Symbol.asyncDispose]());

  // Every second change, and with another seed the others.
  const numbers = Array.from({ length: LIVES }, (_, index) => (2 * index + (SEED % 2)) % CHANGES);
  it.each(numbers)(`seed ${SEED}, life %i`, async (number) => {
    const changed = drawChanged({ seed: SEED, number });
    const lived = await lab.live(changed);
    expect(lived.false, shortOf(changed.life)).toEqual([]);
    expect(lived.missed, `${nameOf(changed)}: ${shortOf(changed.life)}`).toEqual([]);
  });
});
