import type { RunSummary } from '#lib/run/summary.ts';
import type { Profile } from '#simulator/profiles/profile.ts';
import { exportLab, type LabSettings } from '../support/export-lab.ts';
import { expectOneTypeAColumn } from '../support/one-type.ts';

/** Small, and yet several pages of players and of some player's transfers. */
export const WORLD = { players: 24, pageSize: 8, seed: 3 };

export type Exported = Awaited<ReturnType<typeof exportDays>>;

/** Exports the world's first days as a profile serves it, with these settings or none. */
export async function exportDays(options: {
  readonly profile: Profile | string;
  readonly settings?: LabSettings;
  readonly days: readonly number[];
  readonly world?: { readonly players: number; readonly pageSize: number; readonly seed: number };
}) {
  const { profile, settings = {}, days, world = WORLD } = options;
  const lab = await exportLab({ ...world, profile }, settings);
  const summaries: RunSummary[] = [];
  for (const day of days) {
    lab.simulator.day = day;
    summaries.push(await lab.run(timeOf(day)));
    await expectOneTypeAColumn(lab.folder);
  }
  return { lab, summaries, [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose]() };
}

/** When the run of a day of the simulator's world takes place. */
export function timeOf(day: number): string {
  return new Date(Date.UTC(2026, 10, 20 + day, 3)).toISOString().replace('.000', '');
}
