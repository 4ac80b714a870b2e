import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { eventSchemas, eventsPage } from '../../scripts/events-page.ts';

it.each([
  ['docs/run/events.md', eventsPage],
  ['docs/run/events.schema.json', eventSchemas],
] as const)('%s is as lib/news says', async (file, content) => {
  const page = await readFile(file, 'utf8');
  expect(page, 'npm run docs writes it').toBe(content(page));
});
