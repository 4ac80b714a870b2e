import type { ReportData } from '#lib/report/report-data.ts';
import type { ViewLab } from '../queries/view-lab.ts';
import { openBrowser } from './browser.ts';
import { openPage, writePage } from './open-page.ts';
import { reportOf } from './report-of.ts';

export type PageLab = Awaited<ReturnType<typeof pageLab>>;

/** The page of this lake at that time, and a browser; both end with it, and the lake too. */
export async function pageLab(lab: ViewLab, now: string, shown = (data: ReportData): ReportData => data) {
  const data = shown(await reportOf(lab.lake, now));
  const url = await writePage(lab.folder, 'report.html', data);
  const browser = await openBrowser();
  return {
    ...{ lab, data, url },
    /** That page, or the one of other data. */
    open: async (settings?: Parameters<typeof openPage>[2], other?: ReportData) =>
      openPage(
        browser,
        other === undefined ? url : await writePage(lab.folder, 'other.html', other),
        settings,
      ),
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await lab[Symbol.asyncDispose]();
    },
  };
}
