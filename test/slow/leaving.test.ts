import { describe, expect, it } from 'vitest';
import { after, type Day, type LabRun, signageViewLab, type ViewLab } from '../queries/view-lab.ts';

const at = (day: number, hour: number) =>
  `2026-11-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00Z`;

/** Two or three players with a screen each. The third's is off from 15:00 of the 4th. */
function fleet(runTime: string, isThirdGone: boolean): Day {
  const isOff = runTime > at(4, 15);
  const screen = (IsOn: boolean, LastStatusChange: string) => [
    { Id: 1, IsOn, LastUpdate: runTime, LastStatusChange },
  ];
  return {
    players: (isThirdGone ? [1, 2] : [1, 2, 3]).map((Id) => ({ Id, LastAccess: runTime })),
    screens: {
      1: screen(true, at(1, 0)),
      2: screen(true, at(1, 0)),
      3: screen(!isOff, isOff ? at(4, 15) : at(1, 0)),
    },
  };
}

/** A lab after a run at each of these hours of four days. The third player is not listed at some of them. */
function ran(hours: readonly number[], isGone: (day: number, hour: number) => boolean): Promise<ViewLab> {
  const times = [2, 3, 4, 5].flatMap((day) => hours.map((hour) => [day, hour] as const));
  const runs = times.map(([day, hour]): LabRun => [at(day, hour), fleet(at(day, hour), isGone(day, hour))]);
  return after(signageViewLab(), runs);
}

const STATES = `
  select state, started_at, until_at from device_states where record_key = '3/1' and state <> 'watched' order by started_at`;

describe('a device that leaves between two runs of a day', () => {
  it('keeps its last hours and its outage', async () => {
    await using lab = await ran([2, 12, 18, 22], (day, hour) => day > 4 || (day === 4 && hour === 22));
    const outages = "select started_at, ended_at, hours from screen_outages where screen_key = 'berlin/3/1'";
    expect(await lab.flat(outages)).toEqual([at(4, 15), at(4, 18), 3]);
    const last =
      "select level, max(until_at) from device_states where player_id = '3' group by level order by level";
    expect(await lab.cells(last)).toEqual([
      ['player', at(4, 18)],
      ['screen', at(4, 18)],
    ]);
  });

  it('keeps them where it is back in the last run of the day', async () => {
    await using lab = await ran([2, 16, 18, 22], (day, hour) => day === 4 && hour === 18);
    expect(await lab.cells(STATES)).toEqual([
      ['on', at(1, 0), at(4, 15)],
      ['off', at(4, 15), at(5, 22)],
    ]);
  });
});
