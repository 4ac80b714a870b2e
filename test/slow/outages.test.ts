import { describe, expect, it } from 'vitest';
import { hoursFile } from '../queries/hours-file.ts';
import { signageViewLab, type ViewLab } from '../queries/view-lab.ts';
import { reportOf } from '../report/report-of.ts';

const hour = (time: string) => `2026-11-${time}:00Z`;
const BERN = 'Bern,Mon-Sun,08:00,22:00,UTC';

/** A lab whose config names opening hours of cities. */
async function placesLab(lines = [BERN]): Promise<ViewLab> {
  await using hours = await hoursFile(lines);
  const config = { groups: ['City'], hours: hours.path, timeZone: 'UTC' };
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

const STATES =
  "select state, started_at, ended_at from device_states where level = 'screen' and state <> 'watched' order by started_at";

describe('outages', () => {
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

  it('are judged by opening hours from the first day for which a place has any, and before as elsewhere', async () => {
    await using lab = await placesLab([
      'Bern,Mon-Sun,10:00,16:00,UTC,2026-11-22',
      '*,Mon-Sun,08:00,22:00,UTC,2026-11-21',
    ]);
    const isOn = (runTime: string) => ({ ...screen(runTime, true, hour('01T00:00')), LastUpdate: runTime });
    // No run is of the 22nd.
    for (const time of ['20T00:00', '21T00:00', '23T00:00', '24T00:00'].map(hour))
      await day(lab, time, [isOn(time)]);
    const open =
      "select export_date, open_known_hours + open_unknown_hours from device_days where level = 'screen' order by 1";
    expect(await lab.cells(open)).toEqual([
      ['2026-11-20', null],
      ['2026-11-21', 14],
      ['2026-11-22', 6],
      ['2026-11-23', 6],
      ['2026-11-24', 0],
    ]);
    const places = 'select group_value, valid_from, valid_until from player_places order by valid_from';
    expect(await lab.cells(places)).toEqual([
      ['*', '2026-11-21', '2026-11-22'],
      ['Bern', '2026-11-22', null],
    ]);
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

  it.each([
    ['is_on', 'Power', { IsOn: undefined }, { values: { ON: true, OFF: false } }],
    ['last_update', 'Seen', { LastUpdate: undefined }, {}],
    ['last_status_change', 'Switched', { LastStatusChange: undefined }, {}],
  ])(
    'are true or unknown where %s gets its name after days with several runs',
    async (as, field, left, rest) => {
      await using lab = await signageViewLab();
      for (const [index, time] of ['20T03:00', '21T03:00', '21T10:00', '21T20:00', '22T03:00'].entries()) {
        const [runTime, isOn] = [hour(time), time !== '21T10:00'];
        const switched = hour(
          { '21T10:00': '21T06:00', '21T20:00': '21T15:00', '22T03:00': '21T15:00' }[time] ?? '01T00:00',
        );
        const values = { Power: isOn ? 'ON' : 'OFF', Seen: runTime, Switched: switched };
        const shown = { Id: 1, IsOn: isOn, LastUpdate: runTime, LastStatusChange: switched, ...left };
        const screens = { columns: { [field.toLowerCase()]: { as, ...rest } }, drop: [], mask: [] };
        await lab.run(runTime, {
          players: [{ Id: 1 }],
          screens: { 1: [{ ...shown, [field]: Reflect.get(values, field) }] },
          ...(index > 3 && { settings: { resources: { screens } } }),
        });
      }
      const day =
        "select off_hours, unknown_hours, sampling_error_hours from device_days where level = 'screen' and export_date = '2026-11-21'";
      const [off = 0, unknown = 0, error = 0] = (await lab.flat(day)).map(Number);
      expect(Math.abs(off - 9)).toBeLessThanOrEqual(unknown + error);
    },
  );

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
