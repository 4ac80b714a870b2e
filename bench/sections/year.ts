import { measure, serve } from '../child.ts';
import { medianOf } from '../children/report.ts';
import type { RunArgument, RunMeasured } from '../children/run.ts';
import type { YearArgument, YearMeasured } from '../children/year.ts';
import type { Extent } from '../extent.ts';
import type { Figure } from '../figures.ts';

/** A query of one day, and the commit of a run, in a lake with a year of days. */
export async function benchYear({ isQuick, folder }: Extent): Promise<readonly Figure[]> {
  const players = isQuick ? 210 : 10_010;
  using server = await serve({ players });
  const lake = folder();
  const argument: RunArgument = { ...server, concurrency: 50, lake, at: '2026-11-20T03:00:00Z' };
  await measure<RunMeasured>('run', argument);
  const oneDayKept = await commitSeconds(argument, isQuick ? ['04'] : ['04', '05', '06']);
  const year: YearArgument = { lake, days: 365 };
  const { oneDaySeconds, newestSeconds, allDaysSeconds, readsOnlyItsDay } = await measure<YearMeasured>(
    'year',
    year,
  );
  const yearKept = await commitSeconds(argument, isQuick ? ['07'] : ['07', '08', '09']);
  const name = `one day of 365, ${players} players`;
  return [
    {
      section: 'query',
      name,
      value: oneDaySeconds,
      unit: 's',
      floor: { name: 'a table of one day', value: newestSeconds },
    },
    {
      section: 'query',
      name,
      value: oneDaySeconds,
      unit: 's',
      floor: { name: 'all days', value: allDaysSeconds },
    },
    {
      section: 'query',
      name: 'other days that it opens, but the newest',
      value: readsOnlyItsDay ? 0 : 1,
      unit: 'files',
      goal: { of: 'value', most: 0 },
    },
    {
      section: 'commit',
      name: '365 days kept',
      value: yearKept,
      unit: 's',
      floor: { name: 'one day kept', value: oneDayKept },
      goal: { of: 'ratio', most: 1.5 },
    },
  ];
}

/** Seconds from the last unit's end to the commit's end: the median of runs at these hours. */
async function commitSeconds(argument: RunArgument, hours: readonly string[]): Promise<number> {
  return await medianOf(hours.length, async (index) => {
    const run = await measure<RunMeasured>('run', { ...argument, at: `2026-11-20T${hours[index]}:00:00Z` });
    return run.phases.commit.seconds;
  });
}
