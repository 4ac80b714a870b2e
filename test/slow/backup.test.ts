import { describe, expect, it } from 'vitest';
import { viewLab } from '../queries/view-lab.ts';

const GB = 1_000_000_000;
const storages = [
  {
    id: 1,
    customer_name: 'S1',
    size: 400 * GB,
    storage_reserved: 300 * GB,
    nb_unallocated_slots: 2,
    expired_at: Date.parse('2026-12-01T03:00:00Z') / 1000,
    locked: false,
  },
  { id: 2, customer_name: 'S2', size: 100 * GB, storage_reserved: 100 * GB, is_locked: true },
  { id: 3, customer_name: 'S3', size: 50 * GB, storage_reserved: 0 },
];
const slots = {
  1: [
    { id: 11, customer_name: 'full', size: 100 * GB, storage_used: 95 * GB },
    { id: 12, customer_name: 'idle', size: 200 * GB, storage_used: 0 },
  ],
  2: [
    { id: 21, customer_name: 'unsaid', size: 60 * GB, storage_used: null },
    { id: 22, customer_name: 'half', size: 40 * GB, storage_used: 20 * GB },
  ],
};

describe('backup_usage', () => {
  it('says what is full, idle, never backed up and unknown, of slots and of storages', async () => {
    await using lab = await viewLab();
    await lab.run('2026-11-21T03:00:00Z', { backup_storages: storages, backup_slots: slots });
    const rows = await lab.rows('select * from backup_usage order by storage_id, slot');
    expect(
      rows.map((row) => [
        row.storage_name,
        row.slot_name,
        row.slot_used_share,
        row.slot_idle,
        row.is_never_backed_up,
        row.storage_used,
        row.storage_used_share,
        row.storage_idle,
        row.storage_locked,
      ]),
    ).toEqual([
      ['S1', 'full', 0.95, 5 * GB, false, 95 * GB, 95 / 400, 205 * GB, false],
      ['S1', 'idle', 0, 200 * GB, true, 95 * GB, 95 / 400, 205 * GB, false],
      // Of one slot the use is not said: that of the storage is not known.
      ['S2', 'unsaid', null, null, null, null, null, null, true],
      ['S2', 'half', 0.5, 20 * GB, false, null, null, null, true],
      ['S3', null, null, null, null, 0, 0, 0, null],
    ]);
    expect(rows[0]).toMatchObject({ unallocated_slots: 2, days_to_expiry: 10, storage_slots: 2 });
    expect(rows[4]).toMatchObject({ storage_slots: 0 });
  });
});

it('a slot that the provider counts again is unknown: its figure grows nothing, and the trend has a gap', async () => {
  await using lab = await viewLab();
  const slot = (used: number, checked: boolean) => ({
    backup_storages: [{ id: 1, customer_name: 'S1', size: 400 * GB }],
    backup_slots: {
      1: [
        { id: 11, size: 100 * GB, storage_used: used, usage_last_check: checked ? 1_795_000_000 : null },
        { id: 12, size: 100 * GB, storage_used: 0, usage_last_check: null },
      ],
    },
  });
  await lab.run('2026-11-21T03:00:00Z', slot(80 * GB, true));
  await lab.run('2026-11-22T03:00:00Z', slot(3 * GB, false));
  const [now] = await lab.rows('select * from backup_usage where slot_used is null');
  expect(now).toMatchObject({ storage_used: null, storage_idle: null, is_never_backed_up: null });
  await lab.run('2026-11-23T03:00:00Z', slot(82 * GB, true));
  expect(await lab.rows("select name from news where news = 'storage grew'")).toEqual([]);
  const trend = await lab.rows(
    "select export_date, backup_used from daily_trend where export_source = 'vault' order by 1",
  );
  expect(trend.map((row) => row['backup_used'])).toEqual([80 * GB, null, 82 * GB]);
});

describe('backup_cost', () => {
  const cost = `
    select price_key, storage_name, reserved_gb, round(cost, 6) as cost, note
    from backup_cost
    order by price_key, storage_id nulls last`;

  it('multiplies the prices per GB of a price list that is one object', async () => {
    await using lab = await viewLab();
    await lab.run('2026-11-21T03:00:00Z', {
      backup_storages: storages.slice(0, 2),
      backup_slots: slots,
      backup_pricing: {
        result: 'success',
        data: {
          currency: 'CHF',
          storage: { standard: { price_per_gb: 0.0125 }, archive: { price_per_gb: 0.0041 } },
        },
      },
    });
    expect(
      (await lab.rows(cost)).map((row) => [row.price_key, row.storage_name, row.reserved_gb, row.cost]),
    ).toEqual([
      ['storage.archive', 'S1', 300, 1.23],
      ['storage.archive', 'S2', 100, 0.41],
      ['storage.standard', 'S1', 300, 3.75],
      ['storage.standard', 'S2', 100, 1.25],
    ]);
  });

  it('does the same for a price list of rows, and lets other prices stand alone', async () => {
    await using lab = await viewLab();
    await lab.run('2026-11-21T03:00:00Z', {
      backup_storages: storages.slice(0, 1),
      backup_slots: slots,
      backup_pricing: {
        result: 'success',
        data: [
          { code: 'plan.1', name: 'Starter', price: 4.99, unit: 'plan', currency: 'CHF' },
          { code: 'storage.standard', name: 'standard', price: 0.0125, unit: 'gb', currency: 'CHF' },
          { code: 'tier.1', name: 'Step', price: 0.01, unit: 'gb', from_gb: 0, currency: 'CHF' },
        ],
      },
    });
    expect(await lab.rows(cost)).toEqual([
      {
        price_key: 'plan.1',
        storage_name: null,
        reserved_gb: null,
        cost: null,
        note: 'price alone: not one per GB',
      },
      {
        price_key: 'storage.standard',
        storage_name: 'S1',
        reserved_gb: 300,
        cost: 3.75,
        note: 'reserved GB × price, without minimums and tax',
      },
      {
        price_key: 'tier.1',
        storage_name: null,
        reserved_gb: null,
        cost: null,
        note: 'price alone: not one per GB',
      },
    ]);
  });

  it('says so where it does not know the structure', async () => {
    await using lab = await viewLab();
    await lab.run('2026-11-21T03:00:00Z', {
      backup_storages: storages.slice(0, 1),
      backup_pricing: { result: 'success', data: [{ id: 7, tarif: 'A', chf: 3.5 }] },
    });
    expect(await lab.rows(cost)).toEqual([
      {
        price_key: '7',
        storage_name: null,
        reserved_gb: null,
        cost: null,
        note: 'structure not recognised: see the table backup_pricing',
      },
    ]);
  });
});
