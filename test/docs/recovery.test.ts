import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RECOVERY } from '#cli/recovery.ts';
import { recoveryPage } from '../../scripts/recovery-page.ts';

it('docs/run/recovery.md has the ways that run and status print', () => {
  const page = readFileSync('docs/run/recovery.md', 'utf8');
  expect(page, '`npm run docs` writes it again').toBe(recoveryPage(page));
  for (const { seen } of Object.values(RECOVERY)) expect(page).toContain(`\n| ${seen} | `);
});
