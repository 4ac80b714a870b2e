import { expect, it } from 'vitest';
import { localFormats } from '#lib/report/page/formats.ts';
import { verdict } from '#lib/report/page/verdict.ts';
import { translator } from '#lib/report/page/words.ts';
import { signageViewLab } from '../queries/view-lab.ts';
import { reportOf } from '../report/report-of.ts';

const FIRST = '2026-11-17T03:00:00Z';
const LAST = '2026-11-18T03:00:00Z';
const DARK = '2026-11-10T15:00:00Z';

/** Four players, of which the last is dark on both days, and three that are online with a silent screen. */
const IDS = [1, 2, 3, 4, 5, 6, 7];
const GOES_DARK = 1;
const COME = [2, 5];
const LICENSED_AGAIN = [3, 6];
const isOnline = (id: number) => id > 4;

it.each([
  {
    others: 'no other went offline',
    areNew: true,
    goes: false,
    players: 2,
    says: '2 newly counted as offline',
  },
  {
    others: 'another went offline',
    areNew: true,
    goes: true,
    players: 3,
    says: '3 newly counted as offline',
  },
  {
    others: 'there is none, but one went offline',
    areNew: false,
    goes: true,
    players: 1,
    says: '1 went offline',
  },
  { others: 'there is none', areNew: false, goes: false, players: 0, says: 'none went offline' },
])(
  'what was not listed or not expected the day before is new in its finding and in the headline, where $others',
  async ({ areNew, goes, players, says }) => {
    await using lab = await signageViewLab({ config: { timeZone: 'UTC' } });
    for (const runTime of [FIRST, LAST]) {
      const isBefore = areNew && runTime === FIRST;
      const isSeen = (id: number) => isOnline(id) || (id === GOES_DARK && !(goes && runTime === LAST));
      const ids = IDS.filter((id) => !(isBefore && COME.includes(id)));
      await lab.run(runTime, {
        players: ids.map((Id) => ({
          Id,
          LastAccess: isSeen(Id) ? runTime : DARK,
          IsLicensed: !(isBefore && LICENSED_AGAIN.includes(Id)),
        })),
        screens: Object.fromEntries(
          ids.map((id) => [id, isOnline(id) ? [{ Id: 1, IsOn: true, LastUpdate: DARK }] : []]),
        ),
      });
    }
    const data = await reportOf(lab.lake, LAST);
    const newOf = (wanted: string) => data.findings.find(({ id }) => id === wanted)?.newCount;
    expect([newOf('offline-players'), newOf('stale-screens')]).toEqual([players, areNew ? 2 : 0]);
    const headline = (language: 'en' | 'de') =>
      verdict(data, localFormats('en-GB', 'UTC', translator(language)))
        .replaceAll('\u00a0', ' ')
        .split('; ')[1];
    expect(headline('en')).toBe(`${says} since 17 Nov`);
    expect(headline('de')?.includes('neu als offline gezählt')).toBe(areNew);
  },
);
