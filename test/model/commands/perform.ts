import fc from 'fast-check';
import { ExportError } from '#lib/errors.ts';
import { differences, unnamedFaults } from '../compare.ts';
import type { Death } from '../dying-lake.ts';
import { outcomeFaults } from '../outcome-faults.ts';
import type { StepServices, World } from '../world.ts';
import { type Effect, HOUR_MS, type Model } from './model.ts';

/** A step of the product: what it may refuse with, what it does, and what the model becomes if it committed. */
export interface StepCommand {
  readonly name: string;
  readonly death: Death | undefined;
  readonly mayRefuse: readonly string[];
  readonly act: (services: StepServices) => Promise<unknown>;
  readonly effect: Effect;
  /** What the step did to the rest of the lake, if it did not commit. */
  readonly undo?: () => void;
}

export async function perform(model: Model, world: World, command: StepCommand): Promise<void> {
  const before = await world.head();
  model.pending = undefined;
  let ended: string;
  try {
    ended = await world.step(command.death, command.act);
  } catch (error) {
    if (!(error instanceof ExportError) || !command.mayRefuse.includes(error.code)) throw error;
    ended = error.code;
  }
  const after = await world.head();
  const isCommitted =
    after !== undefined && (before?.runId !== after.runId || before.attempt !== after.attempt);
  const count = `${command.name} ${ended}`;
  model.counts.set(count, (model.counts.get(count) ?? 0) + 1);
  if (!isCommitted) {
    command.undo?.();
    if (ended === 'killed') model.pending = command.effect;
  }
  if (isCommitted) {
    const { tables } = await world.schema();
    model.rules.push(tables);
    await command.effect(tables);
  }
  await compare(model, world, isCommitted ? await unnamedFaults(world) : []);
}

export async function compare(model: Model, world: World, unnamed: readonly string[] = []): Promise<void> {
  await forgetFound(model, world);
  const faults = await outcomeFaults(world, model.runs);
  const found = [...unnamed, ...(await differences(world, model)), ...faults];
  if (found.length > 0) throw new Error(`${found.length} differences:\n${found.slice(0, 12).join('\n')}`);
}

/** Files that were lost and are written again by now. */
async function forgetFound(model: Model, world: World): Promise<void> {
  if (model.lost.size === 0) return;
  const files = new Set((await world.tableFiles()).map(({ table, date, run }) => `${table} ${date} ${run}`));
  const tables = (await world.head())?.tables ?? {};
  for (const place of model.lost) {
    const [table = '', date = ''] = place.split(' ');
    const run = tables[table]?.dates[date]?.run;
    if (run === undefined || files.has(`${place} ${run}`)) model.lost.delete(place);
  }
}

export const deaths: fc.Arbitrary<Death | undefined> = fc.oneof(
  { weight: 7, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.record({ at: fc.integer({ min: 1, max: 45 }), isDone: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ at: fc.constant(0), isDone: fc.boolean(), isAtHead: fc.constant(true) }),
  },
);

/** Hours before an operator's step: files that a commit replaced are removed after a day. */
export const waits = fc.constantFrom(0, 0, 1, 25, 49);

export function later(world: World, hours: number): void {
  world.now = new Date(world.now.getTime() + 60_000 + hours * HOUR_MS);
}

/** An operator's step, and again where it was killed before its commit. */
export async function operate(model: Model, world: World, step: StepCommand): Promise<void> {
  const { attempt } = (await world.head()) ?? {};
  await perform(model, world, step);
  if (step.death !== undefined && (await world.head())?.attempt === attempt)
    await perform(model, world, { ...step, name: `${step.name} again`, death: undefined });
}
