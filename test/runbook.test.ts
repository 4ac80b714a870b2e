import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { API_CODES } from '#lib/api/codes.ts';

/** Words of Node, AWS, Glue, Parquet and HTTP that are written like a code and are none. */
const NO_CODES = new Set(
  'EXTERNAL_TABLE VIRTUAL_VIEW PENDING_REDRIVE TIMESTAMP_MILLIS TIMED_OUT TIMESTAMP_MS BYTE_ARRAY TZ_UTC UND_ERR_SOCKET NODE_TLS_REJECT_UNAUTHORIZED'.split(
    ' ',
  ),
);

const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'lib/*.ts', 'cli/*.ts', 'functions/*.ts'],
  {
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => file.endsWith('.ts') && !file.includes('report/'));

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

const headings = new Set(
  [...readFileSync('docs/runbook.md', 'utf8').matchAll(/^### ([A-Z][A-Z0-9_]+)$/gm)].map(
    ([, code]) => code ?? '',
  ),
);

it('every code has its heading in the runbook', () => {
  expect(codes.size).toBeGreaterThan(60);
  expect([...codes].filter((code) => !headings.has(code)).sort()).toEqual([]);
});

it('every heading of a code is of a code that exists', () => {
  expect([...headings].filter((code) => !codes.has(code)).sort()).toEqual([]);
});
