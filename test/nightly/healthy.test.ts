import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawLife } from '../healthy/life.ts';
import { type LifeLab, lifeLab } from '../healthy/life-lab.ts';
import { NAMED_LIVES } from '../healthy/named-lives.ts';
import { shortOf } from '../healthy/short-of.ts';

/** 1,000 take an hour of CPU. HEALTHY_SEED draws others. */
const LIVES = Number(process.env['HEALTHY_LIVES'] ?? 20);
const SEED = Number(process.env['HEALTHY_SEED'] ?? 1);

describe('an installation that hides nothing is exported without a question for ten days', () => {
  let lab: LifeLab;
  beforeAll(async () => {
    lab = await lifeLab();
  });
  afterAll(() => lab[Symbol.asyncDispose]());

  it.each(Object.entries(NAMED_LIVES))('%s', async (_, life) => {
    expect((await lab.live(life)).alarms).toEqual([]);
  });

  it.each(Array.from({ length: LIVES }, (_, number) => number))(`seed ${SEED}, life %i`, async (number) => {
    const life = drawLife({ seed: SEED, number });
    expect((await lab.live(life)).alarms, shortOf(life)).toEqual([]);
  });
});
