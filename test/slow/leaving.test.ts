import { describe, expect, it } from 'vitest';
import { type LabRun, labAfter, signageViewLab, type ViewLab } from '../queries/view-lab.ts';
import { SQL_OF_QUESTIONS } from '../support/sql-of-questions.ts';

const at = (day: number, hour: number) =>
  `2026-11-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00Z`;

/** Two or three players with a screen each. The third's is off from 15:00 of the 4th. */
function fleet(runTime: string, isThirdGone: boolean) {
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
  return labAfter(signageViewLab(), runs);
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

it('a screen that leaves dark and is back dark is out meanwhile, and nobody repaired it', async () => {
  await using lab = await ran([16], (day) => day === 5);
  await lab.run(at(7, 16), fleet(at(7, 16), false));
  const outages =
    "select started_at, ended_at, hours, unknown_hours from screen_outages where screen_key = 'berlin/3/1' order by 1";
  expect(await lab.cells(outages)).toEqual([[at(4, 15), null, 73, 0]]);
  const repair =
    SQL_OF_QUESTIONS.get('How long until a screen is back, and how long until the next outage?') ?? '';
  const [answer] = await lab.rows(repair);
  expect(answer).toMatchObject({ outages: 1, hours_to_repair: null });
});

describe('a screen that goes dark while it is away', () => {
  const outages =
    "select started_at, started_by, hours, sampling_error_hours from screen_outages where screen_key = 'berlin/3/1'";
  const hours =
    "select export_date, known_hours, unknown_hours from device_days where device_key = 'berlin/3/1' order by 1";

  it('is out since the time that the API gives, and has hours from its return', async () => {
    await using lab = await ran([16], (day) => day === 4);
    await lab.run(at(6, 16), fleet(at(6, 16), false));
    expect(await lab.flat(outages)).toEqual([at(4, 15), 'api', 49, 0]);
    expect(await lab.cells(hours)).toEqual([
      ['2026-11-02', 7, 0],
      ['2026-11-03', 17, 0],
      ['2026-11-05', 7, 0],
      ['2026-11-06', 17, 0],
    ]);
  });

  it('has hours from the first day on which it is expected again, where it is back before', async () => {
    const runs = [2, 3, 4, 5, 6].map((day): LabRun => {
      const { players, screens } = fleet(at(day, 16), day === 4);
      const BoxState = day === 5 ? 'New' : 'Activated';
      return [at(day, 16), { players: players.map((each) => ({ ...each, BoxState })), screens }];
    });
    await using lab = await labAfter(signageViewLab(), runs);
    expect(await lab.cells(hours)).toEqual([
      ['2026-11-02', 7, 0],
      ['2026-11-03', 17, 0],
      ['2026-11-06', 17, 0],
    ]);
  });

  it('is out since its return, with an unknown error, if the API gives no time', async () => {
    const undated = (runTime: string, isGone: boolean) => {
      const { players, screens } = fleet(runTime, isGone);
      const bare = Object.entries(screens).map(([id, all]) => {
        return [id, all.map(({ LastStatusChange: _, ...rest }) => rest)] as const;
      });
      return { players, screens: Object.fromEntries(bare) };
    };
    const runs = [2, 3, 4, 5, 6].map((day): LabRun => [at(day, 16), undated(at(day, 16), day === 4)]);
    await using lab = await labAfter(signageViewLab(), runs);
    expect(await lab.flat(outages)).toEqual([at(5, 16), 'observed', 24, null]);
  });
});

describe('unknown hours of past days stay', () => {
  const hours = (screen: string) =>
    `select export_date, unknown_hours from device_days where device_key = 'berlin/${screen}' order by 1`;

  it('when a screen without a state is removed', async () => {
    await using lab = await ran([16], () => false);
    const mute = fleet(at(6, 16), false);
    await lab.run(at(6, 16), {
      ...mute,
      screens: { ...mute.screens, 3: [{ Id: 1, LastUpdate: at(6, 16) }] },
    });
    const before = await lab.cells(hours('3/1'));
    await lab.run(at(7, 16), fleet(at(7, 16), true));
    expect(await lab.cells(hours('3/1'))).toEqual(before);
    expect(before.slice(-2)).toEqual([
      ['2026-11-05', 7],
      ['2026-11-06', 17],
    ]);
  });

  it('when a player is expected again', async () => {
    await using lab = await ran([16], () => false);
    const hidden = fleet(at(6, 16), false);
    const players = hidden.players.map((player) => ({
      ...player,
      ...(player.Id === 1 && { BoxState: 'Deleted' }),
    }));
    await lab.run(at(6, 16), { ...hidden, players });
    const before = await lab.cells(hours('1/1'));
    expect(before.at(-1)).toEqual(['2026-11-05', 7]);
    await lab.run(at(7, 16), fleet(at(7, 16), false));
    expect((await lab.cells(hours('1/1'))).slice(0, before.length)).toEqual(before);
  });
});

it('around a day without a run, a screen that was on is unknown until it switched off or reports again', async () => {
  await using lab = await signageViewLab();
  const screens = (runTime: string, third: Record<string, string | boolean>) => ({
    players: [1, 2, 3].map((Id) => ({ Id, LastAccess: runTime })),
    screens: {
      1: [{ Id: 1, IsOn: true, LastUpdate: runTime, LastStatusChange: at(1, 0) }],
      2: [
        {
          Id: 1,
          IsOn: runTime < at(4, 5),
          LastUpdate: runTime,
          LastStatusChange: runTime < at(4, 5) ? at(1, 0) : at(4, 5),
        },
      ],
      3: [{ Id: 1, LastUpdate: runTime, ...third }],
    },
  });
  await lab.run(at(2, 12), screens(at(2, 12), { IsOn: false, LastStatusChange: at(1, 0) }));
  // No run on the third day.
  await lab.run(at(4, 12), screens(at(4, 12), { IsOn: true, LastStatusChange: at(2, 13) }));
  const states = (key: string) =>
    STATES.replace('3/1', key).replace('order by', 'and until_at > started_at order by');
  expect(await lab.cells(states('1/1'))).toEqual([
    ['on', at(1, 0), at(2, 12)],
    ['unknown', at(2, 12), at(4, 12)],
  ]);
  expect(await lab.cells(states('2/1'))).toEqual([
    ['on', at(1, 0), at(2, 12)],
    ['unknown', at(2, 12), at(4, 5)],
    ['off', at(4, 5), at(4, 12)],
  ]);
  expect(await lab.cells(states('3/1'))).toEqual([
    ['off', at(1, 0), at(2, 13)],
    ['unknown', at(2, 13), at(4, 12)],
  ]);
});
