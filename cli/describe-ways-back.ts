import type { LastVerified } from '#lib/repair/verify.ts';
import type { WayBack } from '#lib/repair/way-back.ts';
import { counted } from '#lib/text.ts';
import type { NextStepsOptions } from './next-steps.ts';
import { nextCommand } from './program-name.ts';
import { commandsOf, RECOVERY } from './recovery.ts';
import { age, roundedTime, span } from './rounded.ts';

export interface Where extends Omit<NextStepsOptions, 'canRepair'> {
  readonly lake: string;
  readonly now: Date;
}

/** What can be repaired, rolled back and rebuilt, each with its command. */
export function waysBack(
  { repair, tooLate, rollbacks, rebuildFrom }: WayBack,
  { now, ...given }: Where,
): readonly string[] {
  const of = (until: string | null) => {
    if (until === null) return '';
    // Files are removed by the commit that comes after their day.
    const isDue = Date.parse(until) <= now.getTime();
    return isDue ? ' (until the next commit)' : ` (until ${roundedTime(until)}, in ${span(until, now)})`;
  };
  const [newest, ...earlier] = rollbacks;
  return [
    ...(repair === null
      ? []
      : [
          `repair can ask again for ${counted(repair.listings, 'listing')} of run ${repair.runId}${of(repair.until)}`,
        ]),
    ...(tooLate === null ? [] : [tooLate]),
    ...(newest === undefined
      ? ['rollback: there is no earlier run to go back to']
      : [
          `${RECOVERY.badRun.next()}${of(newest.until)}:`,
          ...commandsOf(RECOVERY.badRun, { here: { run: newest.runId }, options: given }),
        ]),
    ...(earlier.length === 0
      ? []
      : [`  or ${earlier.map(({ runId, until }) => `${runId}${of(until)}`).join(', ')}`]),
    ...(rebuildFrom === null
      ? ['rebuild: no raw answers are kept']
      : [
          'To make the tables from this day on, or from a later day, again from the raw answers:',
          ...commandsOf(RECOVERY.wrongSetting, { here: { date: rebuildFrom }, options: given }),
        ]),
  ];
}

/** When files were last compared with their sums. */
export function verifiedLine(verified: LastVerified | null, { now, ...given }: Where): string {
  if (verified === null) return `verify has never compared the files: ${nextCommand(['verify'], given)}`;
  const { at, part, parts, files, damaged } = verified;
  const sample = parts === 1 ? '' : ` (part ${part + 1} of ${parts})`;
  return `verify last read ${counted(files, 'file')}${sample} at ${roundedTime(at)}, ${age(at, now)}: ${damaged} damaged or missing`;
}
