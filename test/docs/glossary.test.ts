import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const rows = [
  ...readFileSync('docs/understand/glossary.md', 'utf8').matchAll(
    /^\| ([^|]+) \| ([^|]+) \| `([^`]+)` \|$/gm,
  ),
].map(([, word = '', meaning = '', file = '']) => ({ word, meaning, file }));

it('docs/understand/glossary.md has each word once, with a sentence and a file that is there', () => {
  expect(rows.length).toBeGreaterThan(40);
  const words = rows.map(({ word }) => word);
  expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
  expect(rows.filter(({ file }) => !existsSync(file))).toEqual([]);
  expect(rows.filter(({ meaning }) => !meaning.endsWith('.'))).toEqual([]);
});
