import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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

describe('a test that may ask nothing', () => {
  const found = (body: string) => idleExpects('x.test.ts', `it('x', async () => { ${body} });`).length;

  it.each([
    ['for (const row of rows) expect(row).toBe(1);'],
    ['for await (const row of rows()) expect(row).toBe(1);'],
    ['rows.forEach((row) => expect(row).toBe(1));'],
    ['for (const row of rows.filter(isLate)) { if (row) expect(row).toBe(1); }'],
    ['expect(other.length).toBe(1); for (const row of rows) expect(row).toBe(1);'],
    ['if (rows) expect(rows).toBe(1);'],
    ['isLate && expect(rows).toBe(1);'],
  ])('is found: %s', (body) => {
    expect(found(body)).toBe(1);
  });

  it.each([
    ['for (const row of [1, 2]) expect(row).toBe(1);'],
    ['for (const row of someOf(rows)) expect(row).toBe(1);'],
    ['for (const row of KINDS.map(nameOf)) expect(row).toBe(1);'],
    ['const rows = [1]; for (const row of rows.entries()) expect(row).toBe(1);'],
    ['expect(rows.length).toBe(3); for (const row of rows) expect(row).toBe(1);'],
    ['expect(rows).toBe(1); if (isLate) expect(rows).toBe(2);'],
    ['if (isLate) expect(rows).toBe(1); else expect(rows).toBe(2);'],
    ['for (const row of rows) expect.unreachable(row);'],
    ['for await (const row of rows()) { expect(row).toBe(1); count += 1; } expect(count).toBe(9);'],
  ])('is not: %s', (body) => {
    expect(found(body)).toBe(0);
  });
});
