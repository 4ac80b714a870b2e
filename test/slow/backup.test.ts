import { expect, it } from 'vitest';
import { localFormats } from '#lib/report/page/formats.ts';
import { tileFigures } from '#lib/report/page/tile-figures.ts';
import { chartsOf } from '#lib/report/page/trend-charts.ts';
import { viewLab } from '../queries/view-lab.ts';
import { reportOf } from '../report/report-of.ts';
import { sqlOfQuestion } from '../support/sql-of-questions.ts';

const GB = 1_000_000_000;
const storages = [
  {
    ...{ id: 1, customer_name: 'S1', size: 400 * GB, storage_reserved: 300 * GB, nb_unallocated_slots: 2 },
    ...{ expired_at: Date.parse('2026-12-01T03:00:00Z') / 1000, locked: false },
  },
  { id: 2, customer_name: 'S2', size: 100 * GB, storage_reserved: 100 * GB, is_locked: true },
  { id: 3, customer_name: 'S3', size: 50 * GB, storage_reserved: 0 },
];
const slot = (id: number, customer_name: string, size: number, used: number | null) => {
  return { id, customer_name, size: size * GB, storage_used: used === null ? null : used * GB };
};
const slots = {
  1: [slot(11, 'full', 100, 95), slot(12, 'idle', 200, 0)],
  2: [slot(21, 'unsaid', 60, null), slot(22, 'half', 40, 20)],
};

it('backup_usage says what is full, idle, never backed up and unknown, of slots and of storages', async () => {
  await using lab = await viewLab();
  await lab.run('2026-11-21T03:00:00Z', { backup_storages: storages, backup_slots: slots });
  expect(
    await lab.cells(`
      select
        storage_name, slot_name, slot_used_share, slot_idle, is_never_backed_up,
        storage_used, storage_used_share, storage_idle, storage_locked,
        storage_slots, unallocated_slots, days_to_expiry
      from backup_usage
      order by storage_id, slot`),
  ).toEqual([
    ['S1', 'full', 0.95, 5 * GB, false, 95 * GB, 95 / 400, 205 * GB, false, 2, 2, 10],
    ['S1', 'idle', 0, 200 * GB, true, 95 * GB, 95 / 400, 205 * GB, false, 2, 2, 10],
    // Of one slot the use is not said: that of the storage is not known.
    ['S2', 'unsaid', null, null, null, null, null, null, true, 2, null, null],
    ['S2', 'half', 0.5, 20 * GB, false, null, null, null, true, 2, null, null],
    ['S3', null, null, null, null, 0, 0, 0, null, 0, null, null],
  ]);
});

it('a slot that the provider counts again is unknown: its figure grows nothing, and the trend has a gap', async () => {
  await using lab = await viewLab();
  const counted =
    'select storage_used, storage_idle, is_never_backed_up from backup_usage where slot_used is null';
  // It may also begin at 0, which only a slot that never held a byte has otherwise.
  for (const [index, used] of [80, 3, 82, 0, 83].entries()) {
    const isCounting = index % 2 === 1;
    const usage_last_check = isCounting ? null : 1_795_000_000;
    await lab.run(`2026-11-${21 + index}T03:00:00Z`, {
      backup_storages: [{ id: 1, customer_name: 'S1', size: 400 * GB }],
      backup_slots: {
        1: [
          { ...slot(11, 'A', 100, used), usage_last_check },
          { ...slot(12, 'B', 100, 0), usage_last_check: null },
        ],
      },
    });
    expect(await lab.cells(counted)).toEqual(isCounting ? [[null, null, false]] : []);
    expect(await lab.cells("select name from news where news = 'storage grew'")).toEqual([]);
  }
  const trend = "select backup_used from daily_trend where export_source = 'vault' order by export_date";
  expect(await lab.flat(trend)).toEqual([80 * GB, null, 82 * GB, null, 83 * GB]);
});

it('the use stays known of the days before the provider says when it counted', async () => {
  await using lab = await viewLab();
  for (const [index, used] of [50, 52, 53, 54].entries()) {
    const said = { ...slot(11, 'S', 100, used), ...(index > 1 && { usage_last_check: 1_795_000_000 }) };
    await lab.run(`2026-11-${21 + index}T03:00:00Z`, {
      backup_storages: [{ id: 1, customer_name: 'S1', size: 400 * GB }],
      backup_slots: { 1: [said] },
    });
  }
  const told =
    'select backup_used from daily_trend where export_source in (select export_source from backup_storages) order by export_date';
  expect(await lab.flat(told)).toEqual([50 * GB, 52 * GB, 53 * GB, 54 * GB]);
  const [row] = await lab.rows(sqlOfQuestion('How fast does each storage grow?'));
  expect(row?.['grown_bytes']).toBe(4 * GB);
});

it.each([
  ['comes later', [[5], [5, 0], [5, 0], [5, 7]], [5 * GB, 5 * GB, 5 * GB, 12 * GB], 7 * GB],
  [
    'is there on the first day',
    [
      [5, 0],
      [5, 0],
      [5, 7],
    ],
    [5 * GB, 5 * GB, 12 * GB],
    7 * GB,
  ],
])('the days before the first backup of a slot that %s', async (_, uses, told, grown) => {
  await using lab = await viewLab();
  for (const [index, used] of uses.entries()) {
    const own = used.map((each, number) => ({
      ...slot(11 + number, `S${number}`, 100, each),
      usage_last_check: each === 0 ? null : 1_795_000_000,
    }));
    await lab.run(`2026-11-${21 + index}T03:00:00Z`, {
      backup_storages: [{ id: 1, customer_name: 'S1', size: 400 * GB }],
      backup_slots: { 1: own },
    });
  }
  expect(
    await lab.flat(
      'select backup_used from daily_trend where export_source in (select export_source from backup_storages) order by export_date',
    ),
  ).toEqual(told);
  const [row] = await lab.rows(sqlOfQuestion('How fast does each storage grow?'));
  expect(row?.['grown_bytes'] ?? null).toBe(grown);
});

it('a slot that was emptied, or whose figure is lost, was backed up on an earlier day', async () => {
  await using lab = await viewLab();
  const [first, second] = [[GB, GB, 0, null] as const, [0, null, 0, 0] as const];
  for (const [index, used] of [first, second].entries())
    await lab.run(`2026-11-${21 + index}T03:00:00Z`, {
      backup_storages: [{ id: 1, customer_name: 'S1', size: 400 * GB }],
      backup_slots: { 1: used.map((storage_used, place) => ({ id: 11 + place, size: GB, storage_used })) },
    });
  const told = 'select slot, is_never_backed_up from backup_usage order by slot';
  expect(await lab.flat(told)).toEqual(['1/11', false, '1/12', false, '1/13', true, '1/14', true]);
});

it.each([
  [null, false, true],
  [3, null, true],
])(
  'where %j days are kept, a slot that was emptied before is no slot without a backup',
  async (kept, was, isNew) => {
    await using lab = await viewLab({ config: { dailyRetentionDays: kept } });
    for (const [day, used] of [
      [21, [GB]],
      [22, [0]],
      [23, [0]],
      [24, [0, 0]],
      [25, [0, 0]],
    ] as const)
      await lab.run(`2026-11-${day}T03:00:00Z`, {
        backup_storages: [{ id: 1, customer_name: 'S1', size: 400 * GB }],
        backup_slots: { 1: used.map((storage_used, place) => ({ id: 11 + place, size: GB, storage_used })) },
      });
    const told = 'select is_never_backed_up from backup_usage order by slot';
    expect(await lab.flat(told)).toEqual([was, isNew]);
  },
);

it('"reserved" is what storages reserve alone: the size of their slots has other words', async () => {
  await using lab = await viewLab();
  const day = {
    backup_storages: [{ id: 1, customer_name: 'S1', size: 400 * GB, storage_reserved: 300 * GB }],
    backup_slots: { 1: [{ id: 11, size: 200 * GB, storage_used: 50 * GB }] },
    backup_pricing: [{ code: 'storage.standard', price: 2, unit: 'GB', currency: 'CHF' }],
  };
  await lab.run('2026-11-21T03:00:00Z', day);
  const data = await reportOf(lab.lake, '2026-11-21T04:00:00Z');
  const backup = tileFigures(data, localFormats('en-GB', 'UTC')).find(({ name }) => name === 'backup');
  expect([backup?.figure.values.at(-1), backup?.of]).toEqual([0.25, 'of the 200 GB of all slots']);
  const chart = chartsOf(data).find(({ id }) => id === 'chart-backup');
  const series = chart?.series.flatMap(({ name, values }) => [name, values.at(-1)]);
  expect(series).toEqual(['Size of all slots', 200 * GB, 'Used', 50 * GB, 'Possible error', 0]);
  const storages = data.tables.find(({ id }) => id === 'storages');
  const idle = storages?.columns.findIndex(({ label }) => label === 'Reserved and idle') ?? -1;
  expect(storages?.rows[0]?.[idle]).toBe(250 * GB);
  expect(storages?.note).toContain('Reserved is what the storage reserves');
  expect(await lab.cells('select reserved_gb from backup_cost')).toEqual([[300]]);
});

it('a cost is of one price: each currency and period has its own, of the newest list that is valid', async () => {
  await using lab = await viewLab();
  const price = (id: number, own: object) => ({
    ...{ id, code: 'std', name: 'Standard', price: id / 100 },
    ...{ unit: 'GB', currency: 'EUR', periodicity: 'month' },
    ...own,
  });
  const backup_pricing = [
    price(1, { valid_from: '2025-01-01T00:00:00Z' }),
    price(2, { valid_from: '2026-01-01T00:00:00Z' }),
    price(3, { valid_from: '2026-11-22T12:00:00Z' }),
    price(4, { valid_from: '2026-01-01T00:00:00Z', currency: 'USD' }),
    price(5, { periodicity: 'year' }),
    ...[price(6, { code: 'step', from_gb: 0 }), price(7, { code: 'step', from_gb: 1000 })],
  ];
  const day = { backup_storages: storages.slice(0, 2), backup_slots: slots, backup_pricing };
  // Of a list in another form nobody knows what it says.
  await lab.run('2026-11-19T03:00:00Z', { ...day, backup_pricing: [{ id: 7, tarif: 'A', chf: 3.5 }] });
  const unread = 'select price_key, storage_name, reserved_gb, cost, note from backup_cost';
  const note = 'structure not recognised: see the table backup_pricing';
  expect(await lab.flat(unread)).toEqual(['7', null, null, null, note]);
  for (const date of [20, 21]) await lab.run(`2026-11-${date}T03:00:00Z`, day);
  const costs = async (now: string) => {
    const { tables } = await reportOf(lab.lake, now);
    const shown = ['Amount', 'Currency', 'Period', 'Storages', 'Cost'];
    const { columns = [], rows = [] } = tables.find(({ id }) => id === 'cost') ?? {};
    const at = (wanted: string) => columns.findIndex(({ label }) => label === wanted);
    return rows.flatMap((row) => shown.map((label) => row[at(label)]));
  };
  const others = [...[0.05, 'EUR', 'year', 2, 20], ...[0.04, 'USD', 'month', 2, 16]];
  const steps = [0.06, 0.07].flatMap((price) => [price, 'EUR', 'month', 0, null]);
  expect(await costs('2026-11-21T04:00:00Z')).toEqual([...others, ...[0.02, 'EUR', 'month', 2, 8], ...steps]);
  const keys = 'export_source, record_key, price_key, storage_id';
  expect(await lab.cells(`select ${keys} from backup_cost group by ${keys} having count(*) > 1`)).toEqual([]);
  const sql = sqlOfQuestion('What does backup cost, month by month?');
  const monthly = `select currency, periodicity, cost, days_measured from (${sql}) as months where cost > 0 order by cost, currency`;
  const due = [...['EUR', 'month', 8, 3], ...['USD', 'month', 16, 3], ...['EUR', 'year', 20, 3]];
  expect(await lab.flat(monthly)).toEqual(due);
  // Nobody reads the list on the day on which its next prices begin: it told of them before.
  await lab.run('2026-11-23T03:00:00Z', { ...day, backup_pricing: 'denied' });
  const now = ['EUR', 'month', 2, 12];
  expect(await costs('2026-11-23T04:00:00Z')).toEqual([...others, 0.03, ...now, ...steps]);
});
