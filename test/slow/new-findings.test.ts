import { expect, it } from 'vitest';
import type { Config } from '#lib/config/config.ts';
import { collectReport } from '#lib/report/collect-report.ts';
import { localFormats } from '#lib/report/page/formats.ts';
import { readRunRecord } from '#lib/run/run-record.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { signageViewLab, type ViewLab, viewLab } from '../queries/view-lab.ts';

const FIRST = '2026-11-20T03:00:00Z';
const SECOND = '2026-11-21T03:00:00Z';

async function offline(lab: ViewLab) {
  using tables = await openTables(lab.lake);
  const { config } = await readRunRecord(lab.lake, tables.head.runId);
  const { findings } = await collectReport(tables, config, new Date(SECOND));
  return findings
    .filter(({ id }) => id === 'offline-players' || id === 'stuck-transfers')
    .map(({ id, count, newCount }) => ({ id, count, newCount }));
}

it('what needs attention says how much of it is new since the day before, and nothing where no day is before', async () => {
  await using lab = await signageViewLab();
  const seen = (runTime: string, hours: readonly number[]) =>
    hours.map((before, index) => ({
      Id: index + 1,
      LastAccess: new Date(Date.parse(runTime) - before * 3_600_000).toISOString(),
    }));
  const pending_file_transfers = { 1: [{ Id: 1, Created: '2026-11-01T03:00:00Z' }] };
  await lab.run(FIRST, { players: seen(FIRST, [1, 100, 1]), pending_file_transfers });
  expect(await offline(lab)).toEqual([
    { id: 'offline-players', count: 1, newCount: null },
    { id: 'stuck-transfers', count: 1, newCount: null },
  ]);
  await lab.run(SECOND, { players: seen(SECOND, [10, 124, 1]), pending_file_transfers });
  expect(await offline(lab)).toEqual([
    { id: 'offline-players', count: 2, newCount: 1 },
    // No news tells of transfers.
    { id: 'stuck-transfers', count: 1, newCount: null },
  ]);
});

it('a screen is stale of its own only if its player is not offline, and nothing that is muted needs attention', async () => {
  await using lab = await viewLab();
  const before = (hours: number) => new Date(Date.parse(SECOND) - hours * 3_600_000).toISOString();
  const screen = (Id: number, hours: number) => ({ Id, IsOn: true, LastUpdate: before(hours) });
  await lab.run(SECOND, {
    players: [1, 1, 1, 50, 50].map((hours, index) => ({ Id: index + 1, LastAccess: before(hours) })),
    screens: { 1: [screen(1, 20)], 2: [screen(1, 30), screen(2, 40)], 3: [screen(1, 1)], 4: [screen(1, 50)] },
    backup_storages: [
      { id: 1, expired_at: before(24 * 12) },
      { id: 2, expired_at: before(-24 * 20) },
      { id: 3, expired_at: before(-24 * 200) },
    ],
    backup_slots: { 1: [{ id: 1 }, { id: 2 }] },
  });
  const shown = async (mute: Config['mute'] = []) => {
    using tables = await openTables(lab.lake);
    const { config } = await readRunRecord(lab.lake, tables.head.runId);
    const { findings, muted } = await collectReport(tables, { ...config, mute }, new Date(SECOND));
    const counts = findings
      .filter(({ id }) => /stale|offline|expiring/.test(id))
      .map(({ id, count }) => [id, count]);
    return { ...Object.fromEntries(counts), muted: muted.length };
  };
  expect(await shown()).toEqual({
    'offline-players': 2,
    'stale-screens': 3,
    'storages-expiring': 2,
    muted: 0,
  });
  const end = '2026-11-21';
  const mute = ['berlin/2', 'berlin/1/1', 'berlin/4', 'vault/1'].map((id) => ({
    id,
    reason: 'rebuilt',
    end,
  }));
  expect(await shown(mute)).toEqual({ 'offline-players': 1, 'storages-expiring': 1, muted: 4 });
  expect(await shown(mute.map((each) => ({ ...each, end: '2026-11-20' })))).toEqual(await shown());
});

it('a long duration is told in the unit that its exactness allows', () => {
  const [english, german] = [localFormats('en-GB', 'UTC'), localFormats('de-DE', 'UTC')];
  expect([0.5, 30, 72, 24 * 729, 24 * 3217].map((hours) => english.cell(hours, 'hours'))).toEqual([
    '30 mins',
    '30 hrs',
    '3 days',
    '729 days',
    '8.8 years',
  ]);
  expect([3, 3217].map((days) => german.cell(days, 'days'))).toEqual(['3 Tage', '8,8 Jahre']);
});
