import { readFile } from 'node:fs/promises';
import type { PageAssets } from './render-page.ts';

/** The folder of pages in the bucket of results; no workgroup's name begins like this. */
export const PAGES = '_report/';

/** The result of `bundlePage`, as files with these names next to a Lambda's code. */
export const PAGE_FILES = { script: 'page/script.js', style: 'page/style.css' } as const;

/** Reads them there. */
export async function readPage(folder: URL): Promise<PageAssets> {
  const [script, style] = await Promise.all(
    [PAGE_FILES.script, PAGE_FILES.style].map((file) => readFile(new URL(file, folder), 'utf8')),
  );
  return { script: script ?? '', style: style ?? '' };
}
