import * as z from 'zod';
import { UsageError } from '#lib/errors.ts';
import { DAY_MS, toTheSecond } from '#lib/time.ts';

/** Clocks differ, and a schedule may start a little early. A run further ahead would cover all runs until its time. */
const AHEAD_MS = DAY_MS;

const moment = z.iso.datetime({ offset: true });

/** The moment that `--run-time` names. Throws UsageError if it is not a moment, has no zone, or is over a day ahead. */
export function parseRunTime(text: string, now: Date): Date {
  const says = `--run-time ${JSON.stringify(text)}`;
  if (!moment.safeParse(text).success)
    throw new UsageError(
      `${says} is not a time with a time zone: write one such as 2026-11-21T03:00:00Z or 2026-11-21T04:00:00+01:00.`,
    );
  const time = new Date(text);
  if (time.getTime() - now.getTime() > AHEAD_MS)
    throw new UsageError(
      `${says} is more than a day ahead of this machine's clock (${toTheSecond(now)}), so every other run would be refused until then. Write a time that is not in the future.`,
    );
  return time;
}
