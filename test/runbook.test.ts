import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { API_CODES } from '#lib/api/codes.ts';
import { repositoryFiles } from './support/syntax.ts';

/** Words of Node, AWS, Glue, Parquet and HTTP that are written like a code and are none. */
const NO_CODES = new Set(
  'EXTERNAL_TABLE VIRTUAL_VIEW PENDING_REDRIVE TIMESTAMP_MILLIS TIMED_OUT TIMESTAMP_MS BYTE_ARRAY TZ_UTC RUN_ID UND_ERR_SOCKET HTTPS_PROXY NO_PROXY NODE_TLS_REJECT_UNAUTHORIZED IAM_ALLOWED_PRINCIPALS'.split(
    ' ',
  ),
);

const files = repositoryFiles(/^(lib|cli|functions)\/.*\.ts$/).filter((file) => !file.includes('report/'));

/** Every code that the program can end something with. */
const codes = new Set([
  ...Object.keys(API_CODES),
  ...files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)'/g)].map(
      ([, code]) => code ?? '',
    ),
  ),
]);
for (const word of NO_CODES) codes.delete(word);

/** The codes that docs/run/codes.md explains, in its order. */
const explained = [
  ...readFileSync('docs/run/codes.md', 'utf8').matchAll(/^\| `([A-Z][A-Z0-9_]+)` \| \S.* \| \S.* \|$/gm),
].map(([, code]) => code ?? '');

it('every code has its row in docs/run/codes.md', () => {
  expect(codes.size).toBeGreaterThan(60);
  expect([...codes].filter((code) => !explained.includes(code)).sort()).toEqual([]);
});

it('every row is of a code that exists, once, in alphabetical order', () => {
  expect(explained.filter((code) => !codes.has(code))).toEqual([]);
  expect(explained).toEqual([...new Set(explained)].sort());
});

it('each section is linked from a row, and each link leads to a section', () => {
  const page = readFileSync('docs/run/codes.md', 'utf8');
  const links = [...page.matchAll(/\]\(#([a-z0-9-]+)\)/g)].map(([, link]) => link);
  const anchors = [...page.matchAll(/^## (.+)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(' ', '-'),
  );
  expect([...new Set(links)].sort()).toEqual(anchors.sort());
});
