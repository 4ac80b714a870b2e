import { describe, expect, it } from 'vitest';
import { signageViewLab, viewLab } from './view-lab.ts';

describe('news', () => {
  it('tells licences that ran out, storages that grew, and nothing of what one of the days could not be asked for', async () => {
    await using lab = await viewLab();
    const player = (Id: number, LastAccess: string) => ({ Id, Name: `P${Id}`, LastAccess });
    const at = (hour: string) => `2026-11-2${hour}:00:00Z`;
    await lab.run('2026-11-20T03:00:00Z', {
      players: [player(1, at('0T02')), player(2, at('0T02'))],
      licenses: [{ Type: 'Pro', TotalCount: 5, AvailableCount: 1 }],
      backup_storages: [{ id: 7, customer_name: 'Shop' }, { id: 8 }],
      backup_slots: {
        7: [{ id: 1, size: 1000, storage_used: 100 }],
        8: [{ id: 2, size: 1000, storage_used: 100 }],
      },
    });
    await lab.run('2026-11-21T03:00:00Z', {
      players: [player(1, at('0T02')), player(2, at('1T02'))],
      licenses: [{ Type: 'Pro', TotalCount: 5, AvailableCount: 0 }],
      backup_storages: [{ id: 7, customer_name: 'Shop' }, { id: 8 }],
      backup_slots: {
        7: [{ id: 1, size: 1000, storage_used: 110 }],
        8: [{ id: 2, size: 1000, storage_used: 109 }],
      },
    });
    expect(await lab.rows('select news, name, "value", "before" from news order by news')).toEqual([
      { news: 'licences ran out', name: 'Pro', value: 0, before: 1 },
      { news: 'player offline', name: 'P1', value: 25, before: 1 },
      { news: 'storage grew', name: 'Shop', value: 110, before: 100 },
    ]);
    await lab.run('2026-11-22T03:00:00Z', { refused: true });
    expect(await lab.rows('select news, name from news where days = 1')).toEqual([]);
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

  it('tells which screens went off, which came on, and which fell silent', async () => {
    await using lab = await signageViewLab();
    const silent = '2026-11-19T02:00:00Z';
    const day = (at: string, screens: Readonly<Record<string, boolean | 'stale'>>) => ({
      players: Object.keys(screens).map((id) => ({ Id: Number(id), Name: `P${id}`, LastAccess: at })),
      screens: Object.fromEntries(
        Object.entries(screens).map(([Id, is]) => [
          Id,
          [{ Id: Number(Id), LastUpdate: is === 'stale' ? silent : at, IsOn: is !== false }],
        ]),
      ),
    });
    await lab.run(
      '2026-11-20T03:00:00Z',
      day('2026-11-20T02:30:00Z', { 1: true, 2: true, 3: false, 4: 'stale', 5: 'stale', 6: false }),
    );
    await lab.run(
      '2026-11-21T03:00:00Z',
      day('2026-11-21T02:30:00Z', { 1: true, 2: false, 3: true, 4: true, 5: false, 6: 'stale' }),
    );
    const told = await lab.rows('select record_key, news from news where days = 1 order by record_key');
    expect(told.map(({ record_key, news }) => [record_key, news])).toEqual([
      ['2/2', 'screen off'],
      ['3/3', 'screen recovered'],
      ['4/4', 'screen recovered'],
      ['5/5', 'screen off'],
      ['6/6', 'screen stale'],
    ]);
  });
});
