import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { bundlePage } from '#lib/report/page-assets.ts';
import { renderPage } from '#lib/report/render-page.ts';
import type { ReportData } from '#lib/report/report-data.ts';

/** The page of this data as a file of that folder. Returns its URL. */
export async function writePage(folder: string, name: string, data: ReportData): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, renderPage(data, await bundlePage()));
  return pathToFileURL(path).href;
}

/** A page in a browser of its own, wide and English unless it is told otherwise. With `now` its clock stands still. */
export async function openPage(
  browser: Browser,
  url: string,
  { now, ...settings }: BrowserContextOptions & { readonly now?: string | number } = {},
) {
  const viewport = { width: 1280, height: 900 };
  const context = await browser.newContext({ locale: 'en-GB', viewport, ...settings });
  const page = await context.newPage();
  const said: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('request', (request) => asked.push(request.url()));
  if (now !== undefined) await page.clock.setFixedTime(new Date(now));
  await page.goto(url);
  await page.waitForSelector('.chart svg');
  // What it said on the console or threw, and what it requested, itself first.
  return { page, said, asked, [Symbol.asyncDispose]: () => context.close() };
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe finds at fault in a page that was opened with `bypassCSP`: rule, impact and the first element. */
export async function axeFaults(page: Page): Promise<readonly unknown[]> {
  await page.addScriptTag({ path: AXE });
  return await page.evaluate(async () => {
    const axe = Reflect.get(globalThis, 'axe') as {
      run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
    };
    return (await axe.run()).violations.map(({ id, impact, nodes }) => [id, impact, nodes[0]?.html]);
  });
}
