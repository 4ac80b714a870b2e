import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolders } from '../lib/make-folders.ts';
import { bundlePage } from '../lib/report/page-assets.ts';
import { PAGE_FILES } from '../lib/report/page-files.ts';

/** `node infra/bundle-page.ts FOLDER`: what draws the page of a run, as files next to a bundle. */
const [folder = ''] = process.argv.slice(2);
const { script, style } = await bundlePage();
for (const [file, text] of [
  [PAGE_FILES.script, script],
  [PAGE_FILES.style, style],
] as const) {
  makeFolders(dirname(join(folder, file)));
  await writeFile(join(folder, file), text);
}
