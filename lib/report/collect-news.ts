import { type Gap, readGaps } from '../views/gaps.ts';
import type { Tables } from '../views/open-tables.ts';
import { readFindings } from './read-findings.ts';
import { readNews } from './read-news.ts';
import type { ReportData } from './report-data.ts';

/** What a run found, and what is new. */
export type FoundNews = Pick<ReportData, 'findings' | 'news'>;

/** Reads from the views what to report about a run: what is found and what is new, without the rest of the page. */
export async function collectNews(tables: Tables, gaps?: readonly Gap[]): Promise<FoundNews> {
  const news = await readNews(tables, gaps ?? (await readGaps(tables.query)));
  return { news, findings: await readFindings(tables, news) };
}
