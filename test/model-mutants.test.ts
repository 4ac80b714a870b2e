import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MUTANTS } from './model/mutants.ts';

it.each(MUTANTS)('the mend that $name takes out is in $file', ({ file, from }) => {
  const code = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  expect(code.split(from)).toHaveLength(2);
});
