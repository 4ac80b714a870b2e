import { describe, expect, it } from 'vitest';
import { goodsFaults } from '../truth/check-goods.ts';
import { faultsOf as deviceFaults } from '../truth/check-world.ts';
import { NAMED_WORLDS } from '../truth/named-worlds.ts';
import { shrunk } from '../truth/shrink.ts';
import { type Figures, figuresOf } from '../truth/truth-lab.ts';
import { runTimes, type World, worldOf } from '../truth/world.ts';

/** `WORLDS=300 WORLD_SEED=7 TEST_TIER=slow npx vitest run test/slow/figures-truth.test.ts` */
const WORLDS = Number(process.env['WORLDS'] ?? 10);
const SEED = Number(process.env['WORLD_SEED'] ?? 1);
/** Worlds that are exported side by side, a source each. */
const AT_ONCE = 20;
const ZONES = ['Europe/Berlin', 'UTC', 'America/New_York'] as const;

const labs = Array.from({ length: Math.ceil(WORLDS / AT_ONCE) }, (_, index) => SEED * 1000 + index);

const faultsOf = (world: World, figures: Figures) => [
  ...deviceFaults(world, figures),
  ...goodsFaults(world, figures),
];

describe(`figures of ${WORLDS} worlds of seed ${SEED} say what is true, or that they do not know`, () => {
  it.each(labs)('lab %i', async (lab) => {
    const times = runTimes(lab);
    const zone = ZONES[lab % ZONES.length] ?? 'UTC';
    const worlds = Array.from({ length: AT_ONCE }, (_, index) => worldOf(lab * 100 + index, times));
    const figures = await figuresOf(worlds, zone);
    expect(figures.views.outages.length).toBeGreaterThan(AT_ONCE);
    const wrong = worlds.find((world) => faultsOf(world, figures).length > 0);
    if (wrong !== undefined) throw new Error(await toldSmall(wrong, zone));
  });

  const zones = WORLDS > AT_ONCE ? ZONES : ZONES.slice(0, 1);
  it.each(zones)('worlds with a name, by the clocks of %s', async (zone) => {
    const figures = await figuresOf(Object.values(NAMED_WORLDS), zone);
    const faults = Object.entries(NAMED_WORLDS).map(([name, world]) => [name, faultsOf(world, figures)]);
    expect(faults).toHaveLength(9);
    expect(faults.filter(([, found]) => found?.length !== 0)).toEqual([]);
  });
});

/** The world at its smallest as JSON, to be given a name in named-worlds.ts, with what is wrong. */
async function toldSmall(world: World, zone: string): Promise<string> {
  const faults = async (each: World) => faultsOf(each, await figuresOf([each], zone));
  const first = await faults(world);
  if (first.length === 0) return `seed ${world.seed} is at fault beside other worlds alone`;
  const small = await shrunk(world, async (each) => each.runs.length > 0 && (await faults(each)).length > 0);
  const text = JSON.stringify(small, (_, value) =>
    typeof value === 'number' && value > 1e12 ? new Date(value).toISOString() : value,
  );
  return `seed ${world.seed} in ${zone}: ${(await faults(small)).join('; ')}\n${text}`;
}
