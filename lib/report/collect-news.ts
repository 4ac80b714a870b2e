import type { Config } from '../config/config.ts';
import { exportDate, runIdAt } from '../run-id.ts';
import { type Gap, readGaps } from '../views/gaps.ts';
import type { Tables } from '../views/open-tables.ts';
import { laggingSources } from './lagging-sources.ts';
import { readFindings } from './read-findings.ts';
import { readNews } from './read-news.ts';
import type { ReportData } from './report-data.ts';

/** What a run found, and what is new. */
export type FoundNews = Pick<ReportData, 'findings' | 'news' | 'lagging' | 'muted'>;

/** Views that several parts of the news and of the page read. */
export const ASKED_OFTEN: readonly string[] = [
  'export_health',
  'player_health',
  'screen_status',
  'off_in_hours',
  'stuck_transfers',
  'license_utilisation',
  'backup_usage',
  'data_quality',
  'news',
];

interface CollectNewsOptions {
  readonly config: Pick<Config, 'mute' | 'timeZone'>;
  readonly now: Date;
  /** What was read already. */
  readonly gaps?: readonly Gap[];
}

/** Reads from the views what to report about a run: what is found and what is new, without the rest of the page. */
export async function collectNews(
  tables: Tables,
  { config: { mute = [], timeZone }, now, gaps }: CollectNewsOptions,
): Promise<FoundNews> {
  await tables.keep(ASKED_OFTEN);
  const news = await readNews(tables, gaps ?? (await readGaps(tables.query)));
  const today = exportDate(runIdAt(now), timeZone);
  const muted = mute.filter(({ end }) => end >= today);
  const lagging = await laggingSources(tables);
  return { news, lagging, muted, findings: await readFindings(tables, { news, muted }) };
}
