import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { idleExpects } from './support/idle-expects.ts';
import { sourceFiles } from './support/syntax.ts';

/** Where a test may ask nothing, and why. */
const MAY_ASK_NOTHING: Readonly<Record<string, string>> = {
  'test/deploy/deployed.test.ts': 'on a busy machine seconds say nothing',
};

it('no test goes over what may be empty, or behind a condition, and asks nothing', () => {
  const tests = sourceFiles(/^test\/(.*\.test\.ts|deploy\/story\/.*)$/);
  expect(tests.length).toBeGreaterThan(200);
  const found = tests.flatMap((file) =>
    idleExpects(file, readFileSync(file, 'utf8')).map(({ line }) => ({ file, place: `${file}:${line}` })),
  );
  expect(found.filter(({ file }) => !(file in MAY_ASK_NOTHING)).map(({ place }) => place)).toEqual([]);
  expect([...new Set(found.map(({ file }) => file))]).toEqual(Object.keys(MAY_ASK_NOTHING));
});
