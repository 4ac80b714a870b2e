import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '#lib/config/parse-config.ts';
import { temporaryFolder } from '../support/lake-children.ts';

describe('opening hours', () => {
  /** The hours as the config's file says them. */
  async function hoursOf(csv: string) {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'hours.csv'), csv);
    const config = {
      name: 'x',
      hours: 'hours.csv',
      timeZone: 'Europe/Berlin',
      sources: [{ name: 'a', kind: 'signage', secret: 's', baseUrl: 'https://a.example.com' }],
    };
    return parseConfig(JSON.stringify(config), join(folder.path, 'x.json')).hours;
  }

  it('hold from a day to another: then others may follow, and a wrong day is refused', async () => {
    const lines = (...days: string[]) => ['group,weekday,from,to,since,until', ...days].join('\n');
    const changed = lines('A,Mon,08:00,20:00,,2026-10-31', 'A,Mon,10:00,18:00,2026-11-01,');
    expect(await hoursOf(changed)).toMatchObject([
      { opens: 480, until: '2026-10-31' },
      { opens: 600, since: '2026-11-01' },
    ]);
    for (const [days, says] of [
      ['A,Mon,08:00,20:00,2026-02-30,', 'has the day "2026-02-30", but must have one such as 2026-11-30'],
      ['A,Mon,08:00,20:00,2026-11-02,2026-11-01', 'ends on 2026-11-01, before it begins'],
      ['A,Mon,08:00,20:00,,2026-11-01\nA,Mon,10:00,18:00,2026-11-01,', 'while line 2 has it open'],
    ] as const)
      await expect(hoursOf(lines(days))).rejects.toThrow(says);
  });

  it('are refused with each line that is wrong, its value and the cure', async () => {
    const faults = async (csv: string) => {
      const message = await hoursOf(csv).then(
        () => 'accepted',
        (error: Error) => error.message,
      );
      return message
        .split('\n')
        .map((line) => line.trim().replace(/^.*hours is ".*\/hours\.csv", |^.*\/(?=x\.json has )/, ''));
    };
    const head = 'group,weekday,from,to,zone\n';
    const columns = 'the columns are group,weekday,from,to,zone,since,until.';
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
      'x.json has 10 mistakes:',
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
