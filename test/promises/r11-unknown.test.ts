import { describe, expect, it } from 'vitest';
import { collectReport } from '#lib/report/collect-report.ts';
import { readRunRecord } from '#lib/run/run-record.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { type ViewLab, viewLab } from '../queries/view-lab.ts';

const DAY = '2026-11-20T03:00:00Z';
/** Of a run, not of what the API has. */
const OF_RUNS = new Set(['export_date', 'export_source', 'status', 'coverage', 'runs']);

/** Every figure of the day's trend by its name, of each source that says one. */
async function figures(lab: ViewLab): Promise<Readonly<Record<string, unknown>>> {
  const rows = await lab.rows('select * from daily_trend');
  const told = rows.flatMap((row) => Object.entries(row).filter(([name]) => !OF_RUNS.has(name)));
  return Object.fromEntries(told.filter(([, value]) => value !== null));
}

async function trendOfReport(lab: ViewLab): Promise<readonly unknown[]> {
  using tables = await openTables(lab.lake);
  const record = await readRunRecord(lab.lake, tables.head.runId);
  const { trend } = await collectReport(tables, record.config, new Date(DAY));
  return Object.values(trend.series).flat();
}

describe('R11: unknown is never shown as none', () => {
  it('of sources that were refused there is no figure, in views and on the page', async () => {
    await using lab = await viewLab();
    await lab.run(DAY, { refused: true });
    expect(await figures(lab)).toEqual({});
    const series = await trendOfReport(lab);
    expect(series.length).toBeGreaterThan(10);
    expect(series.filter((value) => value !== null)).toEqual([]);
  });

  it('of what was asked for and is empty the figure is 0', async () => {
    await using lab = await viewLab();
    await lab.run(DAY, { players: [{ Id: 1, Name: 'A', LastAccess: '2026-11-20T02:00:00Z' }] });
    expect(await figures(lab)).toMatchObject({ players: 1, players_offline: 0, pending_transfers: 0 });
  });
});
