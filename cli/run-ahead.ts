import type { WayBack } from '#lib/repair/way-back.ts';
import { runTime } from '#lib/run-id.ts';
import { CLOCKS_DIFFER_MS, toTheSecond } from '#lib/time.ts';
import type { GivenOptions } from './program-name.ts';
import { RECOVERY, stepsOf } from './recovery.ts';

/** True if a run's time is still to come. */
export function isAhead(runId: string, now: Date): boolean {
  return runTime(runId).getTime() - now.getTime() > CLOCKS_DIFFER_MS;
}

/** The line of `status` where the time of the newest run is in the future. */
export function aheadLine(runId: string, now: Date): string {
  return `The newest run, ${runId}, is still to come by this machine's clock (${toTheSecond(now)}): every run is refused until ${toTheSecond(runTime(runId))}.`;
}

/** The way back from there. */
export function afterAhead(
  { rollbacks: [newest] }: Pick<WayBack, 'rollbacks'>,
  options: GivenOptions,
): readonly string[] {
  if (newest === undefined)
    return [
      'Next: put the clock of this machine right if it is behind. If it is right, wait until then, or name another lake with --lake: no earlier run can be gone back to.',
    ];
  return stepsOf(RECOVERY.clockAhead, { here: { run: newest.runId }, options });
}
