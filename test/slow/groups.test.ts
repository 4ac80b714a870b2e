import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '#lib/config/parse-config.ts';
import { notKnown } from '#lib/views/not-known.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { told } from '#lib/views/sentence.ts';
import { signageViewLab } from '../queries/view-lab.ts';

const hour = (time: string) => `2026-11-${time}:00Z`;
const LastAccess = hour('24T02:59');
const players = [
  { Id: 1, Name: 'A', City: 'Berlin', CustomId: 7, LastAccess },
  { Id: 2, Name: 'B', City: 'New York', CustomId: 7, LastAccess: hour('20T03:00') },
  { Id: 3, Name: 'C', City: '', CustomId: 8, LastAccess },
  { Id: 4, Name: 'D', City: 'Hof', BoxState: 'Reserved', LastAccess },
];
const LastUpdate = LastAccess;

/** Tuesday the 24th, 04:00 in Berlin. */
const RUN = hour('24T03:00');

describe('groups and hours', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signage-export-hours-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** The hours as the config's file says them. */
  async function hoursOf(csv: string) {
    await writeFile(join(folder, 'hours.csv'), csv);
    const config = {
      name: 'x',
      hours: 'hours.csv',
      timeZone: 'Europe/Berlin',
      sources: [{ name: 'a', kind: 'signage', secret: 's', baseUrl: 'https://a.example.com' }],
    };
    return parseConfig(JSON.stringify(config), join(folder, 'x.json')).hours;
  }

  it('say to which group each player belongs, and cut the figures of daily_trend so that they add up', async () => {
    await using lab = await signageViewLab({
      backup: null,
      config: { groups: ['City', 'custom_id', 'Region'] },
    });
    await lab.run(hour('23T03:00'), {
      players: players.slice(0, 2),
      screens: { 1: [{ Id: 1, IsOn: true, LastUpdate: hour('23T02:00') }] },
    });
    await lab.run(RUN, {
      players,
      screens: {
        1: [{ Id: 1, IsOn: true, LastUpdate }],
        2: [{ Id: 2, IsOn: false, LastUpdate }],
        3: [{ Id: 3, LastUpdate }],
      },
      pending_file_transfers: {
        1: [{ Id: 1, Created: hour('20T00:00') }],
        3: [
          { Id: 2, Created: LastAccess },
          { Id: 3, Created: LastAccess },
        ],
      },
    });
    expect(
      await lab.cells(
        'select player_id, group_by, group_value from player_groups order by group_number, player_id',
      ),
    ).toEqual([
      ['1', 'city', 'Berlin'],
      ['2', 'city', 'New York'],
      ['3', 'city', null],
      ['4', 'city', 'Hof'],
      ['1', 'custom_id', '7'],
      ['2', 'custom_id', '7'],
      ['3', 'custom_id', '8'],
      ['4', 'custom_id', null],
    ]);
    expect(
      await lab.cells(`
        select
          group_value, players, expected_players, expected_players_online, expected_screens_on,
          pending_transfers, players_stuck
        from group_trend
        where group_by = 'city' and export_date = '2026-11-24'
        order by group_value nulls last`),
    ).toEqual([
      ['Berlin', 1, 1, 1, 1, 1, 1],
      ['Hof', 1, 0, 0, 0, 0, 0],
      ['New York', 1, 1, 0, 0, 0, 0],
      [null, 1, 1, 1, null, 2, 0],
    ]);
    using tables = await openTables(lab.lake);
    const { columns } = await tables.query('select * from group_trend limit 0');
    const figures = columns.filter((name) => !/^(export|group)_/.test(name));
    const whole = await lab.rows(
      `select export_date, export_source, ${figures.join(', ')} from daily_trend where players > 0 order by all`,
    );
    for (const by of ['city', 'custom_id']) {
      const sums = figures.map((name) => `cast(sum(${name}) as bigint) as ${name}`).join(', ');
      expect(
        await lab.rows(
          `select export_date, export_source, ${sums} from group_trend where group_by = '${by}' group by all order by all`,
        ),
      ).toEqual(whole);
    }
    expect((await notKnown(tables)).get('player_groups')?.map((each) => told(each))).toEqual([
      'Not known: what is in each group (players.Region: no field has this name).',
    ]);
  });

  it('tell how long a place was open while its screen was off, by the clocks of its zone', async () => {
    await hoursOf(
      'group;weekday;from;to;zone\nBerlin;Mon-Fri;09:00;20:00;\n"New York";Mo-So;20:00;02:00;America/New_York\n*;Mon-Sun;00:00;24:00;UTC\n',
    );
    await using lab = await signageViewLab({
      backup: null,
      config: { groups: ['CustomId', 'City'], hours: join(folder, 'hours.csv'), timeZone: 'Europe/Berlin' },
    });
    await lab.run(RUN, {
      players,
      screens: {
        1: [
          // Off on Monday the 23rd at 18:00 in Berlin: two hours of Monday.
          { Id: 1, IsOn: false, LastUpdate, LastStatusChange: hour('23T17:00') },
          // Off on Friday the 20th at 12:00: 8 hours of Friday and 11 of Monday, all Monday within the last day.
          { Id: 2, IsOn: false, LastUpdate, LastStatusChange: hour('20T11:00') },
          // Off after it closed.
          { Id: 3, IsOn: false, LastUpdate, LastStatusChange: hour('23T19:30') },
          { Id: 4, IsOn: true, LastUpdate, LastStatusChange: hour('01T00:00') },
          { Id: 5, IsOn: false, LastUpdate },
        ],
        // It opened at 01:00 UTC and is open: silent since 02:00 UTC on the 23rd, so of that night 5 hours, and 2 of this one.
        2: [{ Id: 6, IsOn: true, LastUpdate: hour('23T02:00') }],
        3: [{ Id: 7, IsOn: false, LastUpdate, LastStatusChange: hour('24T00:00') }],
      },
    });
    expect(
      await lab.cells(`
        select screen, group_by, group_value, state, is_open, missed_hours_day, missed_hours_week
        from off_in_hours
        order by screen`),
    ).toEqual([
      ['1/1', 'city', 'Berlin', 'off', false, 2, 2],
      ['1/2', 'city', 'Berlin', 'off', false, 11, 19],
      // When it was on before, nobody says: it may have missed all of the day.
      ['1/3', 'city', 'Berlin', 'off', false, null, null],
      ['1/4', 'city', 'Berlin', 'on', false, 0, 0],
      ['1/5', 'city', 'Berlin', 'off', false, null, null],
      ['2/6', 'city', 'New York', 'stale', true, 6, 7],
      ['3/7', null, '*', 'off', true, 3, 3],
    ]);
  });

  it('say that there are none where the config has none', async () => {
    await using lab = await signageViewLab({ backup: null, config: { groups: [] } });
    await lab.run(RUN, { players, screens: { 1: [{ Id: 1, IsOn: true, LastUpdate }] } });
    for (const name of ['player_groups', 'group_trend', 'off_in_hours'])
      expect([name, await lab.rows(`select * from ${name}`)]).toEqual([name, []]);
    using tables = await openTables(lab.lake);
    expect((await notKnown(tables)).get('off_in_hours')?.map((each) => told(each))).toEqual([
      'Not known: which screens are off while their place is open (hours: the config has no opening hours).',
    ]);
  });

  it('are refused with every line that is wrong, the value and the cure', async () => {
    const faults = async (csv: string) => {
      const message = await hoursOf(csv).then(
        () => 'accepted',
        (error: Error) => error.message,
      );
      return message
        .replaceAll(folder, '')
        .split('\n')
        .map((line) => line.trim().replace(/^.*hours is "\/hours\.csv", /, ''));
    };
    const head = 'group,weekday,from,to,zone\n';
    const columns = 'the columns are group,weekday,from,to,zone.';
    for (const [csv, said] of [
      ['', 'but it has no hours: begin with the line group,weekday,from,to,zone.'],
      ['group,day,from,to\nA,Mon,9:00,10:00', `line 1 of which names the column "day": ${columns}`],
      ['group,from,to\nA,9:00,10:00', `line 1 of which lacks the column "weekday": ${columns}`],
      [
        `${head}${'A,Mon,9:00,10:00,\n'.repeat(2001)}`,
        'but it has 2001 lines of hours: up to 2000 are taken, so write ranges such as Mon-Fri, and * for most places.',
      ],
    ] as const)
      expect(await faults(csv)).toEqual([said]);
    expect(
      await faults(
        `${head}A,Mon-Fri,9:00,18:00,Europe/Berlin\n\nA,Wed,17:00,19:00,\nB,Mi-Do,22:00,06:00,\nB,Fri,5:59,7:00,\nC,Someday,9:00,10:00,\nC,Mon,9,10:00,\nC,Mon,9:00,25:00,\nC,Mon,9:00,9:00,\nC,Mon,9:00,10:00,Europe/Berlim\n,Mon,9:00,10:00,\n"D,Mon,9:00,10:00,\nE,Mon,9:00,10:00,UTC,x\n`,
      ),
    ).toEqual([
      'x.json has 10 mistakes:'.replace(/^/, '/'),
      'line 7 of which has the weekday "Someday", but must have Mon to Sun, 1 to 7, or a range such as Mon-Fri.',
      'line 8 of which has from "9", but must have a time such as 09:00.',
      'line 9 of which has to "25:00", but must have a time such as 20:00, or 24:00.',
      'line 10 of which opens and closes at the same time: all day is from 00:00 to 24:00.',
      'line 11 of which has the zone "Europe/Berlim", but must have an IANA time zone such as "Europe/Berlin", or none for the config’s.',
      'line 12 of which has no group: write a value of one of the `groups`, or * for all others.',
      'line 13 of which has a quote that never ends: close it, or double it within a text.',
      'line 14 of which has 6 cells under 5 columns: put quotes around a text with a comma.',
      'line 4 of which opens "A" while line 2 has it open: write each hour once.',
      'line 6 of which opens "B" while line 5 has it open: write each hour once.',
    ]);
  });
});
