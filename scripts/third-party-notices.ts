import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/**
 * The notices of all packages with code in the built files, as text: `inputs` are paths of esbuild's metafiles. A text
 * that several packages share is in it once. Throws where a package names no licence.
 */
export async function thirdPartyNotices(inputs: Iterable<string>): Promise<string> {
  const folders = new Set<string>();
  for (const input of inputs) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
    if (folder !== undefined) folders.add(folder);
  }
  const byText = new Map<string, string[]>();
  for (const folder of [...folders].sort()) {
    const { title, text } = await noticeOf(folder);
    const titles = byText.get(text) ?? [];
    byText.set(text, titles.includes(title) ? titles : [...titles, title]);
  }
  const parts = [...byText].map(([text, titles]) => `${titles.join('\n')}\n\n${text}`);
  return `signage-export contains code of these packages.\n\n${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

async function noticeOf(folder: string): Promise<{ readonly title: string; readonly text: string }> {
  const { name, version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  // Such as `LICENSE`, and `licenses/LICENSE-d3`.
  const files = (await readdir(folder, { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .sort();
  if (license === undefined && files.length === 0) throw new Error(`${folder} names no licence`);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const by = typeof author === 'string' ? author : (author?.name ?? `the authors of ${name}`);
  const text = texts.map((each) => each.trim()).join('\n\n') || `Copyright ${by}. Licence: ${license}.`;
  return { title: `${name} ${version} (${license ?? 'see below'})`, text };
}
