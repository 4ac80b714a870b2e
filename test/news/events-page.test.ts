import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { eventsPage } from '../../scripts/events-page.ts';

it('docs/events.md has the schemas of all events', async () => {
  expect(await readFile('docs/events.md', 'utf8'), 'npm run docs writes it').toBe(eventsPage());
});
