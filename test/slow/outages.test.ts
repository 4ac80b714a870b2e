import { describe, expect, it } from 'vitest';
import { hoursFile } from '../queries/hours-file.ts';
import { type Day, signageViewLab } from '../queries/view-lab.ts';
import { reportOf } from '../report/report-of.ts';

const hour = (time: string) => `2026-11-${time}:00Z`;

/** A screen that reported ten minutes before the run. */
const screen = (runTime: string, IsOn: boolean, LastStatusChange?: string) => ({
  Id: 1,
  IsOn,
  LastUpdate: new Date(Date.parse(runTime) - 600_000).toISOString(),
  ...(LastStatusChange !== undefined && { LastStatusChange }),
});

const STATES =
  "select state, started_at, ended_at from device_states where level = 'screen' and state <> 'watched' order by started_at";

/** A screen that says on since a time, and reported last at another. */
const onSince = (since: string, told: string): Day => ({
  players: [{ Id: 1 }],
  screens: { 1: [{ Id: 1, IsOn: true, LastUpdate: hour(told), LastStatusChange: hour(since) }] },
});

describe('outages', () => {
  it('have the times that the API gives, else half-way between two runs, and last while nothing says otherwise', async () => {
    await using hours = await hoursFile(['Bern,Mon-Sun,08:00,22:00,UTC']);
    await using lab = await signageViewLab({
      config: { groups: ['City'], hours: hours.path, timeZone: 'UTC', targets: { Bern: 0.9 } },
    });
    const day = (runTime: string, shown: object[], more: Partial<Day> = {}) =>
      lab.run(runTime, {
        players: [{ Id: 1, City: 'Bern', LastAccess: hour('24T02:00') }],
        screens: { 1: shown },
        ...more,
      });
    await day(hour('20T03:00'), [screen(hour('20T03:00'), true, hour('10T00:00'))]);
    // It went off and came back between the runs: the API tells when it came back.
    await day(hour('21T03:00'), [screen(hour('21T03:00'), true, hour('20T20:00'))]);
    await day(hour('22T03:00'), [screen(hour('22T03:00'), false, hour('21T20:00'))]);
    await day(hour('23T03:00'), [], { refused: true });
    // The API tells of the time that no run saw.
    await day(hour('24T03:00'), [screen(hour('24T03:00'), true, hour('23T20:00'))]);
    // Here it does not.
    await day(hour('24T09:00'), [screen(hour('24T09:00'), false)]);
    await day(hour('24T15:00'), [screen(hour('24T15:00'), true)]);
    expect(
      await lab.cells(`
        select started_at, ended_at, started_by, ended_by, hours, open_hours
        from screen_outages
        order by started_at`),
    ).toEqual([
      [hour('20T11:25'), hour('20T20:00'), 'observed', 'api', 8 + 7 / 12, 8 + 7 / 12],
      [hour('21T20:00'), hour('23T20:00'), 'api', 'api', 48, 2 + 14 + 12],
      [hour('24T05:50'), hour('24T11:50'), 'observed', 'observed', 6, 3 + 5 / 6],
    ]);
    // Its player was last seen at 02:00, and is offline in the run of 15:00.
    expect(
      await lab.cells(
        'select player_key, started_at, ended_at, started_by, ended_by, hours, open_hours from player_outages',
      ),
    ).toEqual([['berlin/1', hour('24T02:00'), null, 'api', null, 13, 7]]);
    expect(
      await lab.cells('select missed_hours_day, missed_hours_week, unknown_hours_week from off_in_hours'),
    ).toEqual([[5 + 3 + 5 / 6, expect.closeTo(8 + 7 / 12 + 28 + 3 + 5 / 6, 6), 0]]);
    expect(
      await lab.rows(
        "select key, known_hours, on_hours, open_known_hours, open_on_hours, availability, target from availability where level = 'group' and period = 'month'",
      ),
    ).toEqual([
      {
        ...{ key: 'city=Bern', known_hours: 108, open_known_hours: 63, target: 0.9 },
        on_hours: expect.closeTo(108 - (8 + 7 / 12) - 48 - 6, 6),
        open_on_hours: expect.closeTo(63 - (8 + 7 / 12) - 28 - (3 + 5 / 6), 6),
        availability: expect.closeTo((22 + 7 / 12) / 63, 6),
      },
    ]);
  });

  it.each([
    ['Bern', '*'],
    ['Bern', 'Hof'],
  ])('are of each place, and the worst have a name, where the hours are of %s and %s', async (...lines) => {
    await using hours = await hoursFile(lines.map((group) => `${group},Mon-Sun,08:00,22:00,UTC`));
    await using lab = await signageViewLab({
      config: { groups: ['City'], hours: hours.path, timeZone: 'UTC' },
    });
    for (const runTime of [hour('20T10:00'), hour('20T20:00')])
      await lab.run(runTime, {
        players: ['Bern', 'Hof'].map((City, index) => ({ Id: index + 1, City, LastAccess: runTime })),
        screens: { 1: [screen(runTime, true)], 2: [screen(runTime, runTime < hour('20T15:00'))] },
      });
    const keys = await lab.cells(
      "select level, key, open_known_hours from availability where level in ('group', 'place') and period = 'day' order by all",
    );
    const hasAll = lines.includes('*');
    expect(keys).toEqual([
      ['group', 'city=Bern', 10],
      ['group', 'city=Hof', 10],
      ...lines.toSorted().map((place) => ['place', place, 10]),
    ]);
    // With hours of all others, a list of those that have their own would leave out the worst.
    const { tables } = await reportOf(lab.lake, hour('20T21:00'));
    const worst = tables.find(({ id }) => id === 'places')?.rows.map(([place]) => place);
    expect(worst).toEqual(hasAll ? ['city=Hof'] : ['Hof']);
  });

  it.each([
    [
      'a switch that the API dates before a run that did not see it, where the next run was refused',
      [
        [hour('20T03:00'), { ...screen(hour('20T03:00'), true, hour('10T00:00')) }],
        [hour('21T03:00'), 'refused'],
        [hour('22T03:00'), { ...screen(hour('22T03:00'), true, hour('20T02:55')) }],
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
    for (const [runTime, shown] of runs)
      await lab.run(
        runTime,
        shown === 'refused' ? { refused: true } : { players: [{ Id: 1 }], screens: { 1: [shown] } },
      );
    expect(await lab.cells(STATES)).toEqual(states);
  });

  it.each([
    ['saw the silence or was denied', hour('20T17:50'), 0.167],
    ['saw the report of or was denied', hour('21T03:50'), 24],
  ])('are unknown where nobody can tell whether a partly denied run %s', async (_, told, known) => {
    await using lab = await signageViewLab();
    const day = (runTime: string, LastUpdate: string, other: object[] | 'denied' = []) =>
      lab.run(runTime, {
        players: Array.from({ length: 20 }, (_, index) => ({ Id: index + 1, LastAccess: runTime })),
        screens: { 1: [{ Id: 1, IsOn: true, LastUpdate }], 2: other },
      });
    await day(hour('20T18:00'), hour('20T17:50'));
    await day(hour('21T06:00'), told, 'denied');
    await day(hour('21T18:00'), hour('21T17:50'));
    expect(
      await lab.cells(
        "select round(sum(known_hours), 3), sum(off_hours) from device_days where level = 'screen' and player_id = '1'",
      ),
    ).toEqual([[known, 0]]);
  });

  it('end half-way between two runs where a silence ends and the screen switches off and on before the second', async () => {
    await using lab = await signageViewLab();
    await lab.run(hour('20T04:00'), onSince('10T00:00', '19T04:00'));
    await lab.run(hour('21T04:00'), onSince('20T20:00', '21T03:50'));
    expect(await lab.cells('select ended_at, ended_by, hours from screen_outages')).toEqual([
      [hour('20T12:00'), 'observed', 32],
    ]);
    expect(
      await lab.cells(
        "select sum(known_hours), sum(off_hours), sum(sampling_error_hours) from device_days where level = 'screen'",
      ),
    ).toEqual([[24, 8, 8]]);
  });

  it('are unknown from a silence to the switch after it where runs between them had no answer', async () => {
    await using lab = await signageViewLab();
    await lab.run(hour('20T04:00'), onSince('10T00:00', '19T18:00'));
    for (const time of ['21T04:00', '22T04:00']) await lab.run(hour(time), { refused: true });
    await lab.run(hour('23T04:00'), onSince('22T20:00', '23T03:50'));
    expect(await lab.cells('select ended_at, ended_by, hours, unknown_hours from screen_outages')).toEqual([
      [hour('22T20:00'), 'api', 10, 64],
    ]);
    expect(
      await lab.cells(
        "select sum(known_hours), sum(off_hours), sum(unknown_hours) from device_days where level = 'screen'",
      ),
    ).toEqual([[8, 0, 64]]);
  });

  it('are unknown in the time of a run without an answer, also for a screen whose last switch is from before it', async () => {
    await using hours = await hoursFile(['Bern,Mon-Sun,08:00,22:00,UTC']);
    await using lab = await signageViewLab({
      config: { groups: ['City'], hours: hours.path, timeZone: 'UTC' },
    });
    const day = (runTime: string, LastUpdate: string, more: Partial<Day> = {}) =>
      lab.run(runTime, {
        players: [{ Id: 1, City: 'Bern', LastAccess: runTime }],
        screens: { 1: [{ Id: 1, IsOn: true, LastUpdate, LastStatusChange: hour('01T00:00') }] },
        ...more,
      });
    await day(hour('20T23:00'), hour('20T23:00'));
    await day(hour('21T23:00'), hour('20T23:00'), { refused: true });
    await day(hour('22T23:00'), hour('22T22:50'));
    expect(await lab.cells('select missed_hours_day, unknown_hours_day from off_in_hours')).toEqual([
      [null, 14],
    ]);
    expect(await lab.cells(STATES)).toEqual([
      ['on', hour('01T00:00'), hour('20T23:00')],
      ['unknown', hour('20T23:00'), hour('22T22:50')],
      ['on', hour('22T22:50'), null],
    ]);
  });
});
