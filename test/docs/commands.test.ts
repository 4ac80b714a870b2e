import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COMMANDS_PAGES, commandsPage } from '../../scripts/commands-page.ts';

it.each(COMMANDS_PAGES)('docs/%s says what each command says of itself', async (page) => {
  expect(readFileSync(`docs/${page}`, 'utf8'), '`npm run docs` writes it again').toBe(
    await commandsPage(page),
  );
});
