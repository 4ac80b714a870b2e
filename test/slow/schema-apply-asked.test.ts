import { expect, it } from 'vitest';
import { addSchema } from '#cli/schema.ts';
import { placesOf, saidBy } from '../cli/support.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';

const licenses = (...totals: readonly unknown[]) => ({
  [`${SIGNAGE}/Licenses`]: {
    body: JSON.stringify(totals.map((total, index) => ({ Type: `T${index}`, TotalCount: total }))),
  },
});

it('schema apply says with --dry-run what a type would do to the cells, and does it without', async () => {
  await using lab = await signageLab(licenses(1, 20, 300));
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-21T03:00:00Z', licenses(0, 2, 3));
  const places = await placesOf(lab);
  const apply = (type: string, ...more: readonly string[]) =>
    saidBy(addSchema, 'schema', 'apply', 'licenses.total_count', type, ...places, ...more);

  expect(await apply('boolean', '--dry-run')).toBe(
    'licenses.total_count as boolean in 2 days: 0 values stay as they are, 2 are written in another way, 4 leave their cells and are in rejects. 6 rows (2.0 kB in 2 files) are written again. Nothing is changed.\n',
  );
  expect(await lab.rows('select count(total_count) n from licenses_daily')).toEqual([{ n: 6 }]);
  expect(await lab.rows('select * from rejects')).toEqual([]);
  expect(JSON.parse(await apply('decimal(38,9)', '--dry-run', '--json'))).toMatchObject({
    dryRun: true,
    rewritten: { files: 2, rows: 6, bytes: expect.any(Number) },
    cells: { days: 2, kept: 6, changed: 0, emptied: 0, filled: 0 },
  });

  expect(await apply('boolean')).toBe('licenses.total_count is boolean now, in 2 days.\n');
  expect(await lab.rows('select count(total_count) n from licenses_daily')).toEqual([{ n: 2 }]);
  expect(await lab.rows('select count(*) n from rejects')).toEqual([{ n: 4 }]);
  expect(await apply('bigint', '--dry-run')).toContain(
    'in 2 days: 0 values stay as they are, 2 are written in another way, 4 come into their cells, 0 leave their cells. ',
  );
});
