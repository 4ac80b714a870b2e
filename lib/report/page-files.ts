import { readFile } from 'node:fs/promises';
import type { PageAssets } from './render-page.ts';

/** Where pages are in the bucket of results; no workgroup's name begins so. */
export const PAGES = '_report/';

/** What `bundlePage` gave, as files of these names beside a Lambda's code. */
export const PAGE_FILES = { script: 'page/script.js', style: 'page/style.css' } as const;

/** Reads them there. */
export async function readPage(folder: URL): Promise<PageAssets> {
  const [script, style] = await Promise.all(
    [PAGE_FILES.script, PAGE_FILES.style].map((file) => readFile(new URL(file, folder), 'utf8')),
  );
  return { script: script ?? '', style: style ?? '' };
}
