import { expect, it } from 'vitest';
import { collectReport } from '#lib/report/collect-report.ts';
import { localFormats } from '#lib/report/page/formats.ts';
import { readRunRecord } from '#lib/run/run-record.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { signageViewLab, type ViewLab } from '../queries/view-lab.ts';

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
