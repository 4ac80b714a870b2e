import type { Config } from '#lib/config/config.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { collectReport } from '#lib/report/collect-report.ts';
import type { ReportData } from '#lib/report/report-data.ts';
import { readRunRecord } from '#lib/run/run-record.ts';
import { openTables } from '#lib/views/open-tables.ts';

/** What the page says at that time of the newest commit, by the config of its run, over which `more` is put. */
export async function reportOf(lake: Lake, now: string, more: Partial<Config> = {}): Promise<ReportData> {
  using tables = await openTables(lake);
  const { config } = await readRunRecord(lake, tables.head.runId);
  return await collectReport(tables, { ...config, ...more }, new Date(now));
}

/** How many of each kind of news there are since the day before. */
export const countsOf = ({ news }: ReportData): Readonly<Record<string, number | null>> =>
  Object.fromEntries(news.kinds.map(({ kind, counts }) => [kind, counts['1']]));
