import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COMMANDS_PAGES, commandsPage } from '../../scripts/commands-page.ts';

it.each(COMMANDS_PAGES)('docs/%s says what each command says of itself', async (name) => {
  const page = readFileSync(`docs/${name}`, 'utf8');
  expect(page, '`npm run docs` writes it again').toBe(await commandsPage(name, page));
});
