import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './broken-copy.ts';
import { NAMED_MUTANTS } from './named-mutants.ts';

it.each(NAMED_MUTANTS)(
  'the line that $name breaks is in $file, and so is the test that notices',
  (mutant) => {
    const { file, from, to, noticedBy } = mutant;
    expect(readFileSync(join(ROOT, file), 'utf8').split(from)).toHaveLength(2);
    expect(to).not.toBe(from);
    expect(noticedBy).not.toEqual([]);
    expect(noticedBy.filter((test) => !existsSync(join(ROOT, test)))).toEqual([]);
  },
);

it('has names of its own for each', () => {
  const names = NAMED_MUTANTS.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(60);
  expect(new Set(names).size).toBe(names.length);
});
