import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commandsPage } from '../../scripts/commands-page.ts';

it('docs/commands.md says what each command says of itself', async () => {
  expect(readFileSync('docs/commands.md', 'utf8'), '`npm run docs` writes it again').toBe(
    await commandsPage(),
  );
});
