import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryFiles } from '../support/syntax.ts';

const tracked = repositoryFiles(/./);
const files = tracked.filter(
  (file) => /\.(ts|md|sql|json|asl)$/.test(file) && file !== 'package-lock.json' && existsSync(file),
);

/** Where a page that a file names may lie: as written, in docs/ or a folder of it, or next to the file. */
const FOLDERS = ['docs', 'docs/use', 'docs/read', 'docs/run', 'docs/understand'];
const places = (file: string, page: string) => [
  page,
  ...[...FOLDERS, dirname(file)].map((folder) => join(folder, page)),
];

it('every page that a file of the repository names is in the repository', () => {
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?<![\w/.:-])[\w./-]*\w\.md\b/g)].map(([page]) => ({
      file,
      page,
    })),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ file, page }) => !places(file, page).some((place) => existsSync(place)))).toEqual(
    [],
  );
});

it('every link of a page in the package leads to a file of the package, or says its whole address', () => {
  // npm adds these three by itself. dist/ is built, and holds no page.
  const { files: packed } = JSON.parse(readFileSync('package.json', 'utf8'));
  const isPacked = (file: string) =>
    ['package.json', 'README.md', 'LICENSE', ...packed].some(
      (each: string) =>
        file === each ||
        file.startsWith(`${each}/`) ||
        new RegExp(`^${each.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`).test(file),
    );
  const within = new Set<string>();
  for (const file of tracked.filter(isPacked))
    for (let each = file; each !== '.'; each = posix.dirname(each)) within.add(each);
  const pages = [...within].filter((path) => path.endsWith('.md'));
  expect(pages).toEqual(
    expect.arrayContaining(['README.md', 'docs/use/config.md', 'examples/laptop/README.md']),
  );
  const dead = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:|^#/.test(link))
      .filter(
        (link) => !within.has(posix.join(posix.dirname(page), link.split('#')[0] ?? '').replace(/\/$/, '')),
      )
      .map((link) => `${page}: ${link}`),
  );
  expect(dead).toEqual([]);
});
