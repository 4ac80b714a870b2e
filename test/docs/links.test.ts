import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(ts|md|sql|json|asl)$/.test(file) && file !== 'package-lock.json' && existsSync(file));

/** Where a page that a file names may lie: as written, in docs/, or beside the file. */
const places = (file: string, page: string) => [page, join('docs', page), join(dirname(file), page)];

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
