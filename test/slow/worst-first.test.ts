import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addQuery } from '#cli/query.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { saidBy } from '../cli/support.ts';
import { type ViewLab, viewLab } from '../queries/view-lab.ts';

const GB = 1_000_000_000;
const at = '2026-11-21T03:00:00Z';
const now = '2026-11-21T02:50:00Z';
/** A fleet whose ids and names are in the opposite order of what harms. */
async function fleet() {
  const lab = await viewLab();
  const seen = [
    '2026-11-01T03:00:00Z',
    now,
    '0001-01-01T00:00:00Z',
    '2026-11-20T03:00:00Z',
    '2026-11-19T03:00:00Z',
  ];
  const switched = ['2026-11-01T03:00:00Z', '2026-11-21T01:00:00Z', '2026-11-20T03:00:00Z'];
  const slots = { half: 5, never: 0, full: 10 };
  await lab.run(at, {
    players: seen.map((LastAccess, index) => ({
      ...{
        Id: index + 1,
        Name: `P${index + 1}`,
        BoxState: index === 0 ? 'Reserved' : 'Activated',
        LastAccess,
      },
    })),
    screens: {
      2: switched.map((LastStatusChange, index) => ({
        ...{ Id: index + 1, IsOn: index === 0, LastUpdate: now, LastStatusChange },
      })),
    },
    licenses: [
      { Type: 'A', TotalCount: 10, AvailableCount: 9 },
      { Type: 'B', TotalCount: 10, AvailableCount: 1 },
    ],
    backup_storages: [{ id: 1, customer_name: 'S', size: 100 * GB, storage_reserved: 100 * GB }],
    backup_slots: {
      1: Object.entries(slots).map(([customer_name, used], index) => ({
        ...{ id: index + 1, customer_name, size: 10 * GB, storage_used: used * GB },
      })),
    },
  });
  return lab;
}

describe('a view that is asked for by its name', () => {
  let lab: ViewLab;
  beforeAll(async () => {
    lab = await fleet();
  });
  afterAll(() => lab[Symbol.asyncDispose]());

  it('tells what harms most first, with --json too', async () => {
    const asked = async (view: string, column: string) => {
      const said = JSON.parse(await saidBy(addQuery, 'query', view, '--lake', lab.lake.name, '--json'));
      return said.map((row: Record<string, unknown>) => row[column]);
    };
    // Who is longest away, who never came, who is well; who is not expected is not a fault.
    expect(await asked('player_health', 'player_name')).toEqual(['P5', 'P4', 'P3', 'P2', 'P1']);
    expect(await asked('SCREEN_STATUS', 'screen')).toEqual(['2/3', '2/2', '2/1']);
    expect(await asked('license_utilisation', 'license_type')).toEqual(['B', 'A']);
    expect(await asked('backup_usage', 'slot_name')).toEqual(['full', 'never', 'half']);
  });

  it('has an order that leaves nothing to chance: no two rows stand alike', async () => {
    using tables = await openTables(lab.lake);
    expect(tables.views.length).toBeGreaterThan(10);
    for (const { name, order } of tables.views) {
      const { rows } = await tables.query(
        `select count(*), max(peers) from (select count(*) over (order by ${order} range current row) as peers from ${name})`,
      );
      expect([name, Number(rows[0]?.[1] ?? 1)]).toEqual([name, 1]);
    }
  });
});
