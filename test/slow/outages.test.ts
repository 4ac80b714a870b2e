import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Day, signageViewLab } from '../queries/view-lab.ts';

const hour = (time: string) => `2026-11-${time}:00Z`;

/** A screen that reported ten minutes before the run. */
const screen = (runTime: string, IsOn: boolean, LastStatusChange?: string) => ({
  Id: 1,
  IsOn,
  LastUpdate: new Date(Date.parse(runTime) - 600_000).toISOString(),
  ...(LastStatusChange !== undefined && { LastStatusChange }),
});

describe('outages', () => {
  let folder: string;
  let hours: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signage-export-outages-'));
    hours = join(folder, 'hours.csv');
    await writeFile(hours, 'group,weekday,from,to,zone\nBern,Mon-Sun,08:00,22:00,UTC\n');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('have the times that the API gives, else half-way between two runs, and last while nothing says otherwise', async () => {
    await using lab = await signageViewLab({
      config: { groups: ['City'], hours, timeZone: 'UTC', targets: { Bern: 0.9 } },
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
    const outages = await lab.rows(
      'select started_at, started_by, ended_at, ended_by, hours, open_hours from screen_outages order by started_at',
    );
    const told = outages.map(({ started_at, ended_at, ...row }) => ({
      from: String(started_at).slice(8, 16),
      to: String(ended_at).slice(8, 16),
      ...row,
    }));
    expect(told).toEqual([
      {
        ...{ from: '20T11:25', to: '20T20:00', started_by: 'observed', ended_by: 'api' },
        ...{ hours: 8 + 7 / 12, open_hours: 8 + 7 / 12 },
      },
      {
        ...{ from: '21T20:00', to: '23T20:00', started_by: 'api', ended_by: 'api' },
        ...{ hours: 48, open_hours: 2 + 14 + 12 },
      },
      {
        ...{ from: '24T05:50', to: '24T11:50', started_by: 'observed', ended_by: 'observed' },
        ...{ hours: 6, open_hours: 3 + 5 / 6 },
      },
    ]);
    // Its player was last seen at 02:00, and is offline in the run of 15:00.
    expect(
      await lab.rows(
        'select player_key, started_at, started_by, ended_at, ended_by, hours, open_hours from player_outages',
      ),
    ).toEqual([
      {
        ...{ player_key: 'berlin/1', started_at: hour('24T02:00'), started_by: 'api' },
        ...{ ended_at: null, ended_by: null, hours: 13, open_hours: 7 },
      },
    ]);
    expect(
      await lab.rows('select missed_hours_day, missed_hours_week, unknown_hours_week from off_in_hours'),
    ).toEqual([
      {
        missed_hours_day: 5 + 3 + 5 / 6,
        missed_hours_week: expect.closeTo(8 + 7 / 12 + 28 + 3 + 5 / 6, 6),
        unknown_hours_week: 0,
      },
    ]);
    expect(
      await lab.rows(
        "select key, known_hours, on_hours, open_known_hours, open_on_hours, availability, target from availability where level = 'group' and period = 'month'",
      ),
    ).toEqual([
      {
        ...{ key: 'city=Bern', known_hours: 60, open_known_hours: 35, target: 0.9 },
        on_hours: expect.closeTo(60 - (8 + 7 / 12) - 7 - 6, 6),
        open_on_hours: expect.closeTo(35 - (8 + 7 / 12) - 2 - (3 + 5 / 6), 6),
        availability: expect.closeTo((20 + 7 / 12) / 35, 6),
      },
    ]);
  });
});
