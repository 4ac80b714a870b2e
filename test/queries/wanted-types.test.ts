import { expect, it } from 'vitest';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews } from '#lib/views/view-file.ts';
import { wantedTypes } from '#lib/views/wanted-types.ts';

it('views want times, yes and no, and what they need; the number of a screen may be text', async () => {
  const wanted = wantedTypes(await readViews(QUERIES));
  expect(Object.fromEntries(wanted)).toMatchObject({
    'screens.is_on': 'boolean',
    'screens.last_update': 'timestamp',
    'screens.last_status_change': 'timestamp',
    'players.is_installed': 'boolean',
    'backup_slots.storage_used': 'bigint',
  });
  expect([...wanted.keys()]).not.toContain('screens.number');
  expect([...wanted.values()]).not.toContain('varchar');
});

it('all views want a column in one type', async () => {
  const views = await readViews(QUERIES);
  expect(wantedTypes(views)).toEqual(wantedTypes(views.toReversed()));
});
