import type { Config } from '../config/config.ts';
import type { Head } from '../lake/head.ts';
import type { Lake } from '../lake/lake.ts';
import type { FoundNews } from '../report/collect-news.ts';
import { collectReport } from '../report/collect-report.ts';
import type { ReportTables } from '../report/days/open-report.ts';
import { type PageAssets, renderPage } from '../report/render-page.ts';
import { changeNotes, readNotes } from './notes.ts';

/** The place of pages. */
export interface Pages {
  readonly addressOf: (name: string) => string;
  /** Puts a page under each of the names. */
  readonly put: (names: readonly string[], html: string) => Promise<void>;
}

export interface PageServices {
  readonly lake: Lake;
  readonly config: Pick<Config, 'name' | 'timeZone' | 'schedule' | 'sources'>;
  readonly now: () => Date;
  readonly page: () => Promise<PageAssets>;
  readonly pages: Pages;
}

/** The name of the newest page. */
export const NEWEST_PAGE = 'report.html';
const pageOf = (date: string) => `report-${date}.html`;
const EMPTY_PAGE =
  '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>signage-export</title><p>This page was emptied, for what it showed was purged or hidden. The newest page is report.html.</p></html>\n';

/** S3 removes a page after 400 days. */
const MOST_PAGES = 500;

/** Pages of earlier dates show what is now purged or hidden: they are emptied. */
export async function emptyPages({ exportDate }: Head, { lake, pages }: PageServices): Promise<void> {
  const dates = (await readNotes(lake)).pages.filter((date) => date !== exportDate);
  if (dates.length > 0) await pages.put(dates.map(pageOf), EMPTY_PAGE);
  await changeNotes(lake, 'pages', (noted) => noted.filter((date) => !dates.includes(date)));
}

/** Puts the page as the newest and under its date. `found` is what the news of the run found, if they did. */
export async function putPage(
  tables: ReportTables,
  { head: { exportDate }, found }: { readonly head: Head; readonly found: FoundNews | undefined },
  { lake, config, now, page, pages }: PageServices,
): Promise<void> {
  await tables.complete();
  const data = await collectReport(tables, config, now(), { ...(found && { found }) });
  await pages.put([NEWEST_PAGE, pageOf(exportDate)], renderPage(data, await page()));
  await changeNotes(lake, 'pages', (noted) =>
    [...noted.filter((date) => date !== exportDate), exportDate].slice(-MOST_PAGES),
  );
}
