import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { repositoryFiles } from './support/syntax.ts';

/** Functions of DuckDB that read files, and take each folder `KEY=VALUE` above them for a column unless they are told not to. */
const READS = /\b(?:read_parquet|parquet_scan|read_csv|read_csv_auto|read_json\w*|read_ndjson\w*)\s*\(/g;
/** It does so too, and cannot be told. An import of JSON is none. */
const NEVER =
  /\b(?:read_text|read_blob)\s*\(|\b(?:from|join)\s+'[^']+\.(?:parquet|csv|json)'(?!\s+with\s*\{)/gi;
/** Tests with hostile SQL that the product must refuse. */
const REFUSED = ['test/slow/r8-secrets.test.ts'];
const HOME = 'lib/sql.ts';

const files = repositoryFiles(/\.(?:[cm]?[jt]s|sql|md|json|ya?ml|py|sh)$/).filter(
  (file) => !REFUSED.includes(file),
);

/** The text from an opening parenthesis to that which closes it. */
function closed(text: string, from: number): string {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return text.slice(from, at + 1);
  }
  return text.slice(from);
}

/** Reads in a file whose folders could change what is read, or that do not go by the one function. */
function offendersIn(file: string, text: string): readonly string[] {
  const reads = [...text.matchAll(READS)].filter(({ index, 0: { length } }) => {
    const call = closed(text, index + length - 1);
    // Days are read by their folders where no folder above them has such a name (isPlainAbove).
    const isOfDays = file === HOME && call.includes('hive_types');
    const isTold = call.includes('hive_partitioning = false') || isOfDays;
    return !isTold || (file !== HOME && /^(lib|cli|functions)\//.test(file));
  });
  return [...reads, ...text.matchAll(NEVER)].map(({ 0: call }) => `${file}: ${call}`);
}

it('SQL that reads files takes no folder for a column, and that of the program stands in one file', () => {
  expect(files.length).toBeGreaterThan(500);
  const offenders = files
    .filter((file) => file !== 'test/sql-of-files.test.ts')
    .flatMap((file) => offendersIn(file, readFileSync(file, 'utf8')));
  expect(offenders).toEqual([]);
  expect([...readFileSync(HOME, 'utf8').matchAll(READS)].length).toBe(3);
});
