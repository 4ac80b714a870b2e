import type { ReportData } from '#lib/report/report-data.ts';
import type { ViewLab } from '../queries/view-lab.ts';
import { openBrowser } from './browser.ts';
import { type OpenedPage, openPage, writePage } from './open-page.ts';
import { reportOf } from './report-of.ts';

type Settings = Parameters<typeof openPage>[2];

export interface PageLab extends AsyncDisposable {
  readonly lab: ViewLab;
  readonly data: ReportData;
  /** Of the page of `data`. */
  readonly url: string;
  /** That page, or the one of other data. */
  open(settings?: Settings, other?: ReportData): Promise<OpenedPage>;
}

/** The page of this lake at that time, and a browser; both end with it, and the lake too. */
export async function pageLab(
  lab: ViewLab,
  now: string,
  shown = (data: ReportData): ReportData => data,
): Promise<PageLab> {
  const data = shown(await reportOf(lab.lake, now));
  const url = await writePage(lab.folder, 'report.html', data);
  const browser = await openBrowser();
  return {
    ...{ lab, data, url },
    open: async (settings, other) =>
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
