import { describe, expect, it } from 'vitest';
import { signageViewLab, viewLab } from './view-lab.ts';

describe('news', () => {
  it('tells licences that ran out, storages that grew, and nothing of what one of the days could not be asked for', async () => {
    await using lab = await viewLab();
    const at = (hour: string) => `2026-11-2${hour}:00:00Z`;
    const day = (seen: string, left: number, used: readonly [shop: number, other: number]) => ({
      players: [
        { Id: 1, Name: 'P1', LastAccess: at('0T02') },
        { Id: 2, Name: 'P2', LastAccess: at(seen) },
      ],
      licenses: [{ Type: 'Pro', TotalCount: 5, AvailableCount: left }],
      backup_storages: [{ id: 7, customer_name: 'Shop' }, { id: 8 }],
      backup_slots: {
        7: [{ id: 1, size: 1000, storage_used: used[0] }],
        8: [{ id: 2, size: 1000, storage_used: used[1] }],
      },
    });
    await lab.run('2026-11-20T03:00:00Z', day('0T02', 1, [100, 100]));
    await lab.run('2026-11-21T03:00:00Z', day('1T02', 0, [110, 109]));
    expect(await lab.rows('select news, name, "value", "before" from news order by news')).toEqual([
      { news: 'licences ran out', name: 'Pro', value: 0, before: 1 },
      { news: 'player offline', name: 'P1', value: 25, before: 1 },
      { news: 'storage grew', name: 'Shop', value: 110, before: 100 },
    ]);
    await lab.run('2026-11-22T03:00:00Z', { refused: true });
    expect(await lab.rows('select news, name from news where days = 1')).toEqual([]);
  });

  it('compares with 1, 7 and 30 days before, or with the last run before that', async () => {
    await using lab = await signageViewLab();
    for (const [day, left] of Object.entries({ '10-22': 1, '11-13': 1, '11-20': 1, '11-21': 0 }))
      await lab.run(`2026-${day}T03:00:00Z`, {
        licenses: [{ Type: 'Pro', TotalCount: 5, AvailableCount: left }],
      });
    const shown = await lab.flat('select days, since_date from news order by days');
    expect(shown).toEqual([...[1, '2026-11-20'], ...[7, '2026-11-13'], ...[30, '2026-10-22']]);
  });

  it('names what moved, and was called otherwise, as it is now, and what is gone as it was', async () => {
    await using lab = await signageViewLab();
    const fleet = (day: string, of: readonly (readonly [id: number, name: string, city: string])[]) => ({
      players: of.map(([Id, Name, City]) => ({ Id, Name, City, LastAccess: '2026-11-20T02:00:00Z' })),
      screens: Object.fromEntries(
        of.map(([Id]) => [Id, [{ Id, DisplayName: day, LastUpdate: '2026-11-20T02:00:00Z', IsOn: true }]]),
      ),
    });
    await lab.run(
      '2026-11-20T03:00:00Z',
      fleet('Zoo', [
        [1, 'Zebra', 'Zagreb'],
        [2, 'Ape', 'Aachen'],
        [3, 'Cat', 'Zagreb'],
      ]),
    );
    await lab.run(
      '2026-11-21T03:00:00Z',
      fleet('Ark', [
        [1, 'Ape', 'Aachen'],
        [2, 'Zebra', 'Zagreb'],
      ]),
    );
    const told = await lab.rows('select news, name, city from news order by record_key, news');
    expect(told.map((row) => Object.values(row).join(', '))).toEqual([
      'player offline, Ape, Aachen',
      'screen stale, Ape · 1/1 Ark, Aachen',
      'player offline, Zebra, Zagreb',
      'screen stale, Zebra · 2/2 Ark, Zagreb',
      'player removed, Cat, Zagreb',
      'screen removed, Cat · 3/3 Zoo, Zagreb',
    ]);
  });
});
