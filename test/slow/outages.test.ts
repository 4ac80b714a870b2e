import { describe, expect, it } from 'vitest';
import { hoursFile } from '../queries/hours-file.ts';
import { signageViewLab, type ViewLab } from '../queries/view-lab.ts';
import { reportOf } from '../report/report-of.ts';

const hour = (time: string) => `2026-11-${time}:00Z`;
const BERN = 'Bern,Mon-Sun,08:00,22:00,UTC';

/** A lab whose config names opening hours of cities. */
async function placesLab(lines = [BERN], more: object = {}): Promise<ViewLab> {
  await using hours = await hoursFile(lines);
  const config = { groups: ['City'], hours: hours.path, timeZone: 'UTC', ...more };
  return await signageViewLab({ config });
}

/** A run at that time of a player in Bern with these screens. */
const day = (lab: ViewLab, runTime: string, shown: object[] | 'refused', player: object = {}) => {
  const players = [{ Id: 1, City: 'Bern', LastAccess: runTime, ...player }];
  return lab.run(runTime, shown === 'refused' ? { refused: true } : { players, screens: { 1: shown } });
};

/** A screen that reported ten minutes before the run. */
const screen = (runTime: string, IsOn: boolean, LastStatusChange?: string) => ({
  ...{ Id: 1, IsOn, LastUpdate: new Date(Date.parse(runTime) - 600_000).toISOString() },
  ...(LastStatusChange !== undefined && { LastStatusChange }),
});

/** A screen that says on since a time, and reported last at another. */
const onSince = (since: string, told: string) => [
  { Id: 1, IsOn: true, LastUpdate: hour(told), LastStatusChange: hour(since) },
];

const STATES =
  "select state, started_at, ended_at from device_states where level = 'screen' and state <> 'watched' order by started_at";

describe('outages', () => {
  it('are two around a failed run, where the API dates the second switch to off', async () => {
    await using lab = await placesLab();
    for (const [time, isOn, since] of [
      ['20T03:00', true, hour('10T00:00')],
      ['21T03:00', false, hour('20T09:00')],
      ['22T03:00', 'refused'],
      ['23T03:00', false, hour('22T18:00')],
      ['24T03:00', true, hour('23T12:00')],
    ] as const)
      await day(lab, hour(time), isOn === 'refused' ? isOn : [screen(hour(time), isOn, since)]);
    const told = 'select started_at, ended_at, hours, unknown_hours from screen_outages order by 1';
    expect(await lab.flat(told)).toEqual([
      ...[hour('20T09:00'), hour('22T18:00'), 18, 39],
      ...[hour('22T18:00'), hour('23T12:00'), 18, 0],
    ]);
  });

  it('have the times that the API gives, else half-way between two runs, and last while nothing says otherwise', async () => {
    await using lab = await placesLab([BERN], { targets: { Bern: 0.9 } });
    const seen = { LastAccess: hour('24T02:00') };
    for (const [time, isOn, since] of [
      ['20T03:00', true, hour('10T00:00')],
      // It went off and came back between the runs: the API tells when it came back.
      ['21T03:00', true, hour('20T20:00')],
      ['22T03:00', false, hour('21T20:00')],
      ['23T03:00', 'refused'],
      // The API tells of the time that no run saw.
      ['24T03:00', true, hour('23T20:00')],
      // Here it does not.
      ['24T09:00', false],
      ['24T15:00', true],
    ] as const)
      await day(lab, hour(time), isOn === 'refused' ? isOn : [screen(hour(time), isOn, since)], seen);
    const columns = 'started_at, ended_at, started_by, ended_by, hours, open_hours';
    expect(await lab.cells(`select ${columns} from screen_outages order by started_at`)).toEqual([
      [hour('20T11:25'), hour('20T20:00'), 'observed', 'api', 8 + 7 / 12, 8 + 7 / 12],
      [hour('21T20:00'), hour('23T20:00'), 'api', 'api', 48, 2 + 14 + 12],
      [hour('24T05:50'), hour('24T11:50'), 'observed', 'observed', 6, 3 + 5 / 6],
    ]);
    // Its player was last seen at 02:00, and is offline in the run of 15:00.
    const ofPlayer = [hour('24T02:00'), null, 'api', null, 13, 7];
    expect(await lab.flat(`select ${columns} from player_outages`)).toEqual(ofPlayer);
    const missed = 'select missed_hours_day, missed_hours_week, unknown_hours_week from off_in_hours';
    const week = expect.closeTo(8 + 7 / 12 + 28 + 3 + 5 / 6, 6);
    expect(await lab.flat(missed)).toEqual([5 + 3 + 5 / 6, week, 0]);
    const month = "from availability where level = 'group' and period = 'month'";
    const on = 63 - (8 + 7 / 12) - 28 - (3 + 5 / 6);
    const hours = await lab.flat(`select open_known_hours, open_on_hours, availability, target ${month}`);
    expect(hours).toEqual([63, expect.closeTo(on, 6), expect.closeTo(on / 63, 6), 0.9]);
  });

  it.each(['*', 'Hof'])(
    'are of each place, and the worst have a name, with hours of Bern and %s',
    async (other) => {
      await using lab = await placesLab(['Bern', other].map((group) => `${group},Mon-Sun,08:00,22:00,UTC`));
      for (const runTime of [hour('20T10:00'), hour('20T20:00')])
        await lab.run(runTime, {
          players: ['Bern', 'Hof'].map((City, index) => ({ Id: index + 1, City, LastAccess: runTime })),
          screens: { 1: [screen(runTime, true)], 2: [screen(runTime, runTime < hour('20T15:00'))] },
        });
      // With hours of all others, a list of those that have their own would leave out the worst.
      const { tables } = await reportOf(lab.lake, hour('20T21:00'));
      const worst = tables.find(({ id }) => id === 'places')?.rows.map(([place]) => place);
      expect(worst).toEqual(other === '*' ? ['city=Hof'] : ['Hof']);
    },
  );

  it.each([
    [
      'a switch that the API dates before a run that did not see it, where the next run was refused',
      [
        [hour('20T03:00'), screen(hour('20T03:00'), true, hour('10T00:00'))],
        [hour('21T03:00'), 'refused'],
        [hour('22T03:00'), screen(hour('22T03:00'), true, hour('20T02:55'))],
      ],
      [
        ['on', hour('10T00:00'), '2026-11-20T02:52:30Z'],
        ['off', '2026-11-20T02:52:30Z', hour('20T02:55')],
        ['on', hour('20T02:55'), null],
      ],
    ],
    [
      'reports of a day with several runs that go back, and a switch that the API does not date',
      [
        [hour('20T18:30'), { Id: 1, IsOn: true, LastUpdate: hour('20T18:20') }],
        [hour('21T03:00'), { Id: 1, IsOn: false, LastUpdate: hour('21T02:00') }],
        [hour('21T04:00'), { Id: 1, IsOn: false, LastUpdate: hour('20T20:10') }],
        [hour('21T05:00'), { Id: 1, IsOn: true, LastUpdate: hour('20T21:10') }],
        [hour('21T06:00'), { Id: 1, IsOn: true, LastUpdate: hour('21T05:50') }],
      ],
      [
        ['on', hour('20T18:20'), hour('20T22:10')],
        ['off', hour('20T22:10'), hour('21T02:00')],
        ['on', hour('21T02:00'), null],
      ],
    ],
  ] as const)('are rows that follow each other: %s', async (_, runs, states) => {
    await using lab = await signageViewLab();
    const dayOf = (shown: object) => ({ players: [{ Id: 1 }], screens: { 1: [shown] } });
    for (const [runTime, shown] of runs)
      await lab.run(runTime, shown === 'refused' ? { refused: true } : dayOf(shown));
    expect(await lab.cells(STATES)).toEqual(states);
  });

  it.each([
    ['saw the silence or was denied', hour('20T17:50'), 0.167],
    ['saw the report of or was denied', hour('21T03:50'), 24],
  ])('are unknown where nobody can tell whether a partly denied run %s', async (_, told, known) => {
    await using lab = await signageViewLab();
    for (const [time, LastUpdate, other] of [
      ['20T18:00', hour('20T17:50'), []],
      ['21T06:00', told, 'denied'],
      ['21T18:00', hour('21T17:50'), []],
    ] as const)
      await lab.run(hour(time), {
        players: Array.from({ length: 20 }, (_, index) => ({ Id: index + 1, LastAccess: hour(time) })),
        screens: { 1: [{ Id: 1, IsOn: true, LastUpdate }], 2: other },
      });
    const hours = 'select round(sum(known_hours), 3), sum(off_hours) from device_days';
    expect(await lab.flat(`${hours} where level = 'screen' and player_id = '1'`)).toEqual([known, 0]);
  });

  const OUTAGE = 'select ended_at, ended_by, hours, unknown_hours from screen_outages';
  const SUMS =
    "select sum(known_hours), sum(off_hours), sum(unknown_hours) from device_days where level = 'screen'";

  it('end half-way between two runs where a silence ends and the screen switches off and on before the second', async () => {
    await using lab = await signageViewLab();
    await day(lab, hour('20T04:00'), onSince('10T00:00', '19T04:00'));
    await day(lab, hour('21T04:00'), onSince('20T20:00', '21T03:50'));
    expect(await lab.cells(OUTAGE)).toEqual([[hour('20T12:00'), 'observed', 32, 0]]);
    expect(await lab.cells(SUMS)).toEqual([[24, 8, 0]]);
  });

  it('are unknown from a silence to the switch after it where runs between them had no answer', async () => {
    await using lab = await signageViewLab();
    await day(lab, hour('20T04:00'), onSince('10T00:00', '19T18:00'));
    for (const time of ['21T04:00', '22T04:00']) await day(lab, hour(time), 'refused');
    await day(lab, hour('23T04:00'), onSince('22T20:00', '23T03:50'));
    expect(await lab.cells(OUTAGE)).toEqual([[hour('22T20:00'), 'api', 10, 64]]);
    expect(await lab.cells(SUMS)).toEqual([[8, 0, 64]]);
  });

  it('are missed hours of a screen that has moved to a place without any since', async () => {
    await using lab = await placesLab();
    for (const [time, City] of [
      ['20T23:00', 'Bern'],
      ['21T23:00', 'Bern'],
      ['22T03:00', 'Moon'],
    ] as const) {
      const off = { Id: 1, IsOn: false, LastUpdate: hour(time), LastStatusChange: hour('20T08:00') };
      await day(lab, hour(time), [off], { City });
    }
    const missed = 'select group_value, missed_hours_day, missed_hours_week from off_in_hours';
    expect(await lab.cells(missed)).toEqual([['Bern', 14, 28]]);
  });
});

describe('a screen is on its card with all its time off', () => {
  const worst = async (lab: ViewLab, now: string) => {
    const { findings } = await reportOf(lab.lake, now);
    return findings.find(({ id }) => id === 'screens-off')?.worst.map(({ value }) => value);
  };

  it.each([
    ['off, then without a state', [false, null, false, null, false], 96],
    ['on, then without a state, then off', [true, null, null, false, false], 24],
    ['without a state, then off', [null, null, false, null, false], 48],
    ['on between two days off', [false, true, false, null, false], 48],
    ['on, then off and missing', [true, false, 'missing', 'missing', false], 72],
    ['off, then missing', [false, 'missing', 'missing', false, false], 96],
    ['off, then without a state and missing', [false, null, 'missing', false, null, false], 120],
    ['added, missing and added again', ['missing', false, 'missing', 'missing', false], 72],
    ['on, then missing', [true, 'missing', false, false, false], 48],
  ] as const)('where the API dates nothing: %s', async (_, states, hoursOff) => {
    await using lab = await signageViewLab();
    for (const [index, IsOn] of states.entries()) {
      const runTime = hour(`${20 + index}T03:00`);
      const shown = { Id: 1, LastUpdate: runTime, ...(IsOn !== null && { IsOn }) };
      await day(lab, runTime, [...(IsOn === 'missing' ? [] : [shown]), { ...shown, Id: 2, IsOn: true }]);
    }
    expect(await worst(lab, hour(`${19 + states.length}T04:00`))).toEqual([hoursOff]);
    // The view has the same outage, whose unknown hours it counts beside the known ones.
    const told = 'select hours, hours + unknown_hours from screen_outages where ended_at is null';
    const [[least, most] = []] = await lab.cells(told);
    expect([Number(least) <= hoursOff, hoursOff <= Number(most)]).toEqual([true, true]);
  });

  it('where it says that it changed after the export, since it was first seen so', async () => {
    await using lab = await signageViewLab();
    for (const date of [20, 21, 22]) {
      const LastStatusChange = date < 22 ? hour('18T03:00') : hour('22T03:20');
      const off = { Id: 1, LastUpdate: hour(`${date}T03:00`), LastStatusChange, IsOn: false };
      await day(lab, hour(`${date}T03:00`), [off]);
    }
    expect(await lab.cells('select hours_in_state from screen_status')).toEqual([[0]]);
    expect(await worst(lab, hour('22T04:00'))).toEqual([48]);
  });
});
