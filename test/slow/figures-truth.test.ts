import { describe, expect, it } from 'vitest';
import { bookFaults } from '../truth/check-book.ts';
import { goodsFaults } from '../truth/check-goods.ts';
import { listFaults } from '../truth/check-lists.ts';
import { newCountFaults, newsFaults, newsLeastFaults, newsUnknownFaults } from '../truth/check-news.ts';
import { pageFaults } from '../truth/check-page.ts';
import { leftOutFaults, pastFaults } from '../truth/check-past.ts';
import { vaultFaults } from '../truth/check-vault.ts';
import { faultsOf as deviceFaults } from '../truth/check-world.ts';
import { NAMED_WORLDS } from '../truth/named-worlds.ts';
import { shrunk } from '../truth/shrink.ts';
import { type Figures, figuresOf, pageOf } from '../truth/truth-lab.ts';
import { vaultOf } from '../truth/vault.ts';
import { vaultDays } from '../truth/vault-oracle.ts';
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
  ...listFaults(world, figures),
  ...newsFaults(world, figures),
  ...pastFaults(world, figures),
];

describe(`figures of ${WORLDS} worlds of seed ${SEED} say what is true, or that they do not know`, () => {
  it.each(labs)('lab %i', async (lab) => {
    const times = runTimes(lab);
    const zone = ZONES[lab % ZONES.length] ?? 'UTC';
    const worlds = Array.from({ length: AT_ONCE }, (_, index) => worldOf(lab * 100 + index, times));
    const figures = await figuresOf({ worlds }, zone);
    expect(figures.views.outages.length).toBeGreaterThan(AT_ONCE);
    expect(leftOutFaults(figures)).toEqual([]);
    const wrong = worlds.find((world) => faultsOf(world, figures).length > 0);
    if (wrong === undefined) return;
    throw new Error(`${await toldSmall(wrong, zone)}\nin the lab: ${faultsOf(wrong, figures).join('; ')}`);
  });

  const zones = WORLDS > AT_ONCE ? ZONES : ZONES.slice(0, 1);
  it.each(zones)('worlds with a name, by the clocks of %s', async (zone) => {
    const figures = await figuresOf({ worlds: Object.values(NAMED_WORLDS) }, zone);
    const faults = Object.entries(NAMED_WORLDS).map(([name, world]) => [name, faultsOf(world, figures)]);
    expect(faults).toHaveLength(Object.keys(NAMED_WORLDS).length);
    expect(faults.filter(([, found]) => found?.length !== 0)).toEqual([]);
  });
});

/** Installations with few fleets and accounts each, so that not every sum has a source that is unknown. */
const FLEETS = 2;
const ACCOUNTS = 5;

describe(`page and workbook of ${2 * WORLDS} accounts of seed ${SEED} say what is true, or that they do not know`, () => {
  const length = (2 * WORLDS) / ACCOUNTS;
  const installations = Array.from({ length }, (_, index) => SEED * 1000 + 500 + index);

  it.each(installations)('installation %i', async (installation) => {
    const times = runTimes(installation);
    const seeds = (count: number) => Array.from({ length: count }, (_, index) => installation * 100 + index);
    const worlds = seeds(FLEETS).map((seed) => worldOf(seed, times));
    const vaults = seeds(ACCOUNTS).map((seed) => vaultOf(seed, times));
    const exported = { worlds, vaults };
    const figures = await pageOf(exported, ZONES[installation % ZONES.length] ?? 'UTC');
    const faults = [
      ...worlds.flatMap((world) => faultsOf(world, figures).map((fault) => `w${world.seed}: ${fault}`)),
      ...vaults.flatMap((vault) => vaultFaults(vault, figures).map((fault) => `v${vault.seed}: ${fault}`)),
      ...leftOutFaults(figures),
      ...newCountFaults(exported, figures, figures.page),
      ...newsUnknownFaults(exported, figures, figures.page),
      ...newsLeastFaults(exported, figures, figures.page),
      ...pageFaults(exported, figures, figures.page),
      ...bookFaults(exported, figures, figures.page),
    ];
    const lastOf = (vault: (typeof vaults)[number]) => vaultDays(vault, figures.clocks).at(-1);
    const isSlotKnown = vaults.some((vault) => lastOf(vault)?.known.some(({ slots }) => slots.length > 0));
    expect(figures.views.usage.length > 0 || !isSlotKnown).toBe(true);
    expect(figures.page.sheets.length).toBeGreaterThan(10);
    expect(faults).toEqual([]);
  });
});

/** The world at its smallest as JSON, to be given a name in named-worlds.ts, with what is wrong. */
async function toldSmall(world: World, zone: string): Promise<string> {
  const faults = async (each: World) => faultsOf(each, await figuresOf({ worlds: [each] }, zone));
  const first = await faults(world);
  if (first.length === 0) return `seed ${world.seed} is at fault beside other worlds alone`;
  const isAsked = (each: World) => each.runs.some(({ how }) => how === 'asked');
  const small = await shrunk(world, async (each) => isAsked(each) && (await faults(each)).length > 0);
  const isTime = (value: unknown): value is number => Number.isFinite(value) && Number(value) > 1e12;
  const text = JSON.stringify(small, (_, value) => (isTime(value) ? new Date(value).toISOString() : value));
  return `seed ${world.seed} in ${zone}: ${(await faults(small)).join('; ')}\n${text}`;
}
