import { expect, it } from 'vitest';
import { localFormats } from '#lib/report/page/formats.ts';
import { tileFigures } from '#lib/report/page/tile-figures.ts';
import { verdict } from '#lib/report/page/verdict.ts';
import { hoursFile } from '../queries/hours-file.ts';
import { signageViewLab, type ViewLab } from '../queries/view-lab.ts';
import { reportOf } from '../report/report-of.ts';

const hour = (time: string) => `2026-11-${time}:00Z`;
const formats = localFormats('en-GB', 'UTC');
/** Saturday is the 14th. */
const BERN = 'Bern,Mon-Sat,09:00,18:00,UTC';

async function shopLab(lines: readonly string[] = [BERN]): Promise<ViewLab> {
  await using hours = await hoursFile(lines);
  return await signageViewLab({ config: { groups: ['City'], hours: hours.path, timeZone: 'UTC' } });
}

/** Players that were last seen then, and screens of player 1 in Bern, which is always online. */
async function closed(lab: ViewLab, at: string, out: { seen: readonly string[]; screens?: object[] }) {
  const seen = out.seen.map((LastAccess, index) => ({ Id: index + 2, City: 'Bern', LastAccess }));
  // Aue has no opening hours.
  const aue = { Id: 9, City: 'Aue', LastAccess: hour('14T18:00') };
  await lab.run(at, {
    players: [{ Id: 1, City: 'Bern', LastAccess: at }, ...seen, aue],
    screens: { 1: out.screens ?? [] },
  });
  const report = await reportOf(lab.lake, at);
  const names = report.findings.map(({ id, count, worst }) => [id, count, worst.map(({ name }) => name)]);
  return { report, names };
}

const off = (Id: number, LastStatusChange: string, LastUpdate = hour('16T02:59')) => ({
  ...{ Id, IsOn: false, LastUpdate, LastStatusChange },
});

it('what was out only while its place was closed needs no attention, and is counted as it is', async () => {
  await using lab = await shopLab();
  // On Monday at 3: one went at closing time, one ten minutes before, and one has been dead since the afternoon.
  const seen = [hour('14T18:00'), hour('14T17:50'), hour('14T15:00')];
  const screens = [
    ...[off(1, hour('14T18:05')), off(2, hour('14T15:00'))],
    ...[hour('14T18:05'), hour('14T15:00')].map((LastUpdate, index) => ({
      ...{ Id: index + 3, IsOn: true, LastUpdate, LastStatusChange: hour('14T09:00') },
    })),
  ];
  const { report, names } = await closed(lab, hour('16T03:00'), { seen, screens });
  expect(names).toEqual([
    ['offline-players', 2, ['4', '9']],
    ['stale-screens', 1, ['1 · 1/4']],
    ['screens-off', 1, ['1 · 1/2']],
  ]);
  expect(report.closed).toEqual({ players: 2, screens: 2 });
  expect(verdict(report, formats)).toBe(
    '1 of 5 expected players are online; 0 of 4 screens are on, 2 off, 2 stale; out only while their place was closed: players 2, screens 2; data of 16 Nov 2026, 03:00.',
  );
  const [players] = tileFigures(report, formats);
  expect(players?.note).toBe('4 offline, 0 never seen, 0 not known');
});

it('it needs attention again a quarter of an hour after its place opened, and after a month', async () => {
  await using lab = await shopLab();
  const seen = [hour('14T18:00')];
  const counts = [];
  for (const at of [hour('16T09:15'), hour('16T09:16')])
    counts.push((await closed(lab, at, { seen })).names[0]?.[1]);
  expect(counts).toEqual([1, 2]);
  await using never = await shopLab(['Bern,Mon-Sun,09:00,18:00,UTC,,2026-10-01']);
  const long = ['2026-10-17T03:00:00Z', '2026-10-15T03:00:00Z'];
  expect((await closed(never, hour('16T04:00'), { seen: long })).names[0]?.slice(1)).toEqual([2, ['3', '9']]);
});

it('what died while its place was closed is new on the day that it opens', async () => {
  await using lab = await shopLab();
  const counts = [];
  // On Tuesday at 3 the second one has slept, and the first has missed Monday.
  for (const at of [14, 15, 16, 17, 18].map((day) => hour(`${day}T03:00`))) {
    const evening = at < hour('15T00:00') ? hour('13T18:00') : hour('14T18:00');
    const slept =
      at < hour('17T00:00') ? evening : `${at.slice(0, 8)}${Number(at.slice(8, 10)) - 1}T18:00:00Z`;
    const { report } = await closed(lab, at, { seen: [evening, slept] });
    const { count, newCount } = report.findings.find(({ id }) => id === 'offline-players') ?? {};
    counts.push(`${newCount} of ${count}`);
  }
  // The first day has none before it. Aue has its own player that is out.
  expect(counts.slice(2)).toEqual(['0 of 1', '1 of 2', '0 of 2']);
});
