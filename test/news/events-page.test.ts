import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { eventSchemas, eventsPage } from '../../scripts/events-page.ts';

it.each([
  ['docs/run/events.md', eventsPage],
  ['docs/run/events.schema.json', eventSchemas],
] as const)('%s is as lib/news says', async (file, content) => {
  expect(await readFile(file, 'utf8'), 'npm run docs writes it').toBe(content());
});
