import { expect, it } from 'vitest';
import { localFormats } from '#lib/report/page/formats.ts';
import { verdict } from '#lib/report/page/verdict.ts';
import { translator } from '#lib/report/page/words.ts';
import { type Day, type LabRun, labAfter, signageViewLab } from '../queries/view-lab.ts';
import { countsOf, reportOf } from '../report/report-of.ts';

const at = (time: string) => `2026-11-${time}:00:00Z`;
const NOW = at('23T04');
const IDS = Array.from({ length: 12 }, (_, index) => index + 1);
/** Twelve players, and when each was seen. */
const seen = (time: (id: number) => string | null) => IDS.map((Id) => ({ Id, LastAccess: time(Id) }));

/** Two players that were just seen. Of the first these screens are told. */
const ofTwo = (time: string, first: 'denied' | readonly number[]): LabRun => [
  at(time),
  {
    players: [1, 2].map((Id) => ({ Id, LastAccess: at(time) })),
    screens: { 1: first === 'denied' ? first : first.map((Id) => ({ Id })), 2: [{ Id: 21 }] },
  },
];

/** Two players with a screen each, all of them well. */
const WELL: Day = {
  players: [1, 2].map((Id) => ({ Id, LastAccess: at('23T02') })),
  screens: { 1: [{ Id: 1, IsOn: true, LastUpdate: at('23T02') }] },
};

it.each<readonly [string, readonly LabRun[], Readonly<Record<string, number | null>>]>([
  [
    'nobody knew a state the day before, whatever the listings answered',
    ['21', '22', '23'].map((day) => [
      at(`${day}T03`),
      { players: seen((id) => (day === '22' ? null : at(`${id < 4 ? '22' : day}T03`))) },
    ]),
    { 'player offline': null, 'player recovered': null, 'player added': 0 },
  ],
  [
    'the last run of the day before did not get a listing of screens',
    [ofTwo('22T03', []), ofTwo('22T15', 'denied'), ofTwo('23T03', [11])],
    { 'screen added': null, 'screen removed': 0, 'player added': 0 },
  ],
  [
    'the API dates the reports of neither screens nor their players',
    ['22T03', '23T03'].map((time) => [
      at(time),
      { players: [{ Id: 1 }], screens: { 1: [{ Id: 1, IsOn: true }] } },
    ]),
    { 'screen stale': null },
  ],
])('no news are not known where %s', async (_, runs, counts) => {
  await using lab = await labAfter(signageViewLab(), runs);
  expect(countsOf(await reportOf(lab.lake, NOW))).toMatchObject(counts);
});

it('no news of screens says of how many nobody knows, on one of the two days', async () => {
  const day = (time: string, ...states: (boolean | null)[]): LabRun => [
    at(time),
    {
      players: [{ Id: 1, LastAccess: at(time) }],
      screens: { 1: states.map((IsOn, place) => ({ Id: place + 1, IsOn, LastUpdate: at(time) })) },
    },
  ];
  const days = [day('22T03', true, true, null), day('23T03', true, null, true, null)];
  await using lab = await labAfter(signageViewLab(), days);
  const { kinds } = (await reportOf(lab.lake, NOW)).news;
  const told = (wanted: string) => kinds.find(({ kind }) => kind === wanted);
  expect(told('screen off')).toMatchObject({ counts: { '1': 0 }, unknown: { '1': 2, '7': 0, '30': 0 } });
  expect(told('player offline')?.unknown['1']).toBe(0);
});

it('how many went offline is a least number where of others nobody knew a state the day before', async () => {
  const day = (time: string, own: (id: number) => string, twins: string | null): LabRun => [
    at(time),
    { players: seen((id) => at(own(id))), twins: { players: seen(() => twins && at(twins)) } },
  ];
  await using lab = await labAfter(signageViewLab({}, { twins: true }), [
    day('21T03', () => '21T03', '21T03'),
    day('22T03', () => '22T03', null),
    day('23T03', (id) => (id === 1 ? '22T03' : '23T03'), '23T03'),
  ]);
  const data = await reportOf(lab.lake, NOW);
  const due = { ...{ kind: 'player offline', counts: { '1': 1 }, unknown: { '1': 12 } } };
  expect(data.news.kinds[0]).toMatchObject(due);
  expect(verdict(data, localFormats('en-GB', 'UTC'))).toContain('at least 1 went offline');
});

it('no news are known from the second day on, unless the newest run leaves a source out', async () => {
  await using lab = await signageViewLab({}, { twins: true });
  for (const [day, sources, count] of [
    [21, undefined, null],
    [22, undefined, 0],
    [23, ['berlin'], null],
  ] as const) {
    await lab.run(at(`${day}T03`), { ...WELL, twins: WELL }, sources && [...sources]);
    expect(countsOf(await reportOf(lab.lake, NOW))['player offline']).toBe(count);
  }
});

it('no news are not known where a source did not answer on the day that they compare with', async () => {
  const days = [WELL, { refused: true }, WELL].map(
    (twins, index): LabRun => [at(`${21 + index}T03`), { ...WELL, twins }],
  );
  await using lab = await labAfter(signageViewLab({}, { twins: true }), days);
  const data = await reportOf(lab.lake, NOW);
  expect(countsOf(data)['player offline']).toBeNull();
  expect(data.news.players).toMatchObject({ since: '2026-11-22', isWhole: false });
});

it('news of screens are known where the API says when their players were seen', async () => {
  await using lab = await signageViewLab();
  for (const [time, second, count] of [
    ['21T03', '21T03', null],
    ['22T03', '22T03', 0],
    ['23T03', '22T03', 1],
  ] as const) {
    const players = [time, second].map((seen, index) => ({ Id: index + 1, LastAccess: at(seen) }));
    await lab.run(at(time), { players, screens: { 1: [{ Id: 1, IsOn: true }], 2: [{ Id: 1, IsOn: true }] } });
    expect(countsOf(await reportOf(lab.lake, NOW))['screen stale']).toBe(count);
  }
});

const DARK = at('10T15');
/** Four players, of which the last is dark on both days, and three that are online with a silent screen. */
const [GOES_DARK, COME, LICENSED_AGAIN] = [1, [2, 5], [3, 6]] as const;
const isOnline = (id: number) => id > 4;

it.each([
  ['no other went offline', true, false, 2, '2 newly counted as offline'],
  ['another went offline', true, true, 3, '3 newly counted as offline'],
  ['there is none, but one went offline', false, true, 1, '1 went offline'],
  ['there is none', false, false, 0, 'none went offline'],
])('what came is new in finding and headline, where %s', async (_, areNew, goes, players, says) => {
  await using lab = await signageViewLab({ config: { timeZone: 'UTC' } });
  for (const [time, isLast] of [
    [at('22T03'), false],
    [at('23T03'), true],
  ] as const) {
    const isBefore = areNew && !isLast;
    const isSeen = (id: number) => isOnline(id) || (id === GOES_DARK && !(goes && isLast));
    const ids = IDS.slice(0, 7).filter((id) => !(isBefore && COME.some((each) => each === id)));
    await lab.run(time, {
      players: ids.map((Id) => ({
        ...{ Id, LastAccess: isSeen(Id) ? time : DARK },
        IsLicensed: !(isBefore && LICENSED_AGAIN.some((each) => each === Id)),
      })),
      screens: Object.fromEntries(
        ids.map((id) => [id, isOnline(id) ? [{ Id: 1, IsOn: true, LastUpdate: DARK }] : []]),
      ),
    });
  }
  const data = await reportOf(lab.lake, at('23T03'));
  const newOf = (wanted: string) => data.findings.find(({ id }) => id === wanted)?.newCount;
  expect([newOf('offline-players'), newOf('stale-screens')]).toEqual([players, areNew ? 2 : 0]);
  const headline = (language: 'en' | 'de') =>
    verdict(data, localFormats('en-GB', 'UTC', translator(language)))
      .replaceAll('\u00a0', ' ')
      .split('; ')[1];
  expect(headline('en')).toBe(`${says} since 22 Nov`);
  expect(headline('de')?.includes('neu als offline gezählt')).toBe(areNew);
});
