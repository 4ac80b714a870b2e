import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '#simulator/json.ts';
import { SERVED, type ServedResource } from '#simulator/kind.ts';
import { type ExportLab, exportLab } from '../support/export-lab.ts';
import { lostValues } from '../values/lost-values.ts';

const DAYS = ['2026-11-20', '2026-11-21'];

let lab: ExportLab;

beforeAll(async () => {
  lab = await exportLab({ players: 150, seed: 7 });
  for (const [day, date] of DAYS.entries()) {
    lab.simulator.day = day;
    await lab.run(`${date}T03:00:00Z`);
  }
});
afterAll(() => lab[Symbol.asyncDispose]());

describe('every value that the simulator serves is in the tables', () => {
  for (const { name, kind } of SERVED) {
    it.each(DAYS.map((date, day) => ({ date, day })))(`${name} on $date`, async ({ date, day }) => {
      const served = [...lab.simulator.world.at(day).all(name)].map(({ parentId, record }) => ({
        parentId: parentId === undefined ? null : String(parentId),
        text: JSON.stringify(record),
      }));
      const source = kind === 'signage' ? 'berlin' : 'vault';
      const { lake, rows } = lab;
      expect(await lostValues({ lake, rows, resource: name, source, served, date })).toEqual([]);
    });
  }
});

describe('types say what the values mean', () => {
  const typeOf = async (table: string, column: string) =>
    (await lab.query(`select ${column} from ${table}`)).types[0];

  it('unix seconds are timestamps, prices exact decimals, post codes text', async () => {
    expect(await typeOf('backup_slots', 'created_at')).toBe('TIMESTAMP');
    expect(await typeOf('backup_pricing', 'storage_standard_price_per_gb')).toBe('DECIMAL(38,9)');
    expect(await typeOf('players', 'post_code')).toBe('VARCHAR');
    expect(await lab.rows('select storage_standard_price_per_gb price from backup_pricing')).toEqual([
      { price: 0.0125 },
    ]);
  });

  it('player_id joins players, screens and pending_file_transfers', async () => {
    const [row] = await lab.rows(`
      select
        (select count(*) from screens) as screens,
        (select count(*) from screens join players using (export_source, player_id)) as joined_screens,
        (select count(*) from pending_file_transfers) as transfers,
        (select count(*) from pending_file_transfers join players using (export_source, player_id)) as joined_transfers`);
    expect(row?.joined_screens).toBe(row?.screens);
    expect(row?.joined_transfers).toBe(row?.transfers);
    expect(row?.screens).toBeGreaterThan(100);
  });

  it('a player that was never seen has no last access, and rejects says why', async () => {
    const never = [...lab.simulator.world.at(1).all('players')].filter(
      ({ record }) => record.LastAccess === '0001-01-01T00:00:00Z',
    ).length;
    expect(never).toBeGreaterThan(0);
    const rejected = await lab.rows(`
      select count(*) as n from rejects
      where export_date = '2026-11-21' and table_name = 'players' and column_name = 'last_access' and reason = 'sentinel'`);
    expect(rejected).toEqual([{ n: never }]);
  });
});

it.each(SERVED.map(({ name }) => name))('changes are the difference of the two days: %s', async (name) => {
  const truth = DAYS.map((_, day) => {
    const records = [...lab.simulator.world.at(day).all(name)];
    return new Map(records.map(({ parentId, record }) => [keyOf(name, parentId, record), record]));
  });
  const [before = new Map(), after = new Map()] = truth;
  const changes = await lab.rows(
    `select record_key, change, column_name from changes where table_name = '${name}' and export_date = '2026-11-21'`,
  );
  const keysOf = (change: string) =>
    new Set(changes.filter((row) => row.change === change).map((row) => row.record_key));
  expect(keysOf('added')).toEqual(new Set([...after.keys()].filter((key) => !before.has(key))));
  expect(keysOf('removed')).toEqual(new Set([...before.keys()].filter((key) => !after.has(key))));
  const changed = [...after].flatMap(([key, record]) => {
    const old = before.get(key);
    return old === undefined ? [] : differences(old, record).map((path) => `${key} ${path}`);
  });
  const columns = await lab.rows(
    `select column_name, api_path from schema_columns where table_name = '${name}'`,
  );
  const pathOf = new Map(columns.map((row) => [row.column_name, row.api_path]));
  const found = changes
    .filter((row) => row.change === 'changed')
    .map((row) => `${row.record_key} ${pathOf.get(row.column_name)}`);
  expect(found.sort()).toEqual(changed.sort());
});

function keyOf(name: ServedResource, parentId: number | undefined, record: JsonObject): string {
  if (name === 'backup_pricing') return 'pricing';
  const id = String(record.Id ?? record.id ?? record.Type);
  return parentId === undefined ? id : `${parentId}/${id}`;
}

function differences(before: JsonObject, after: JsonObject): readonly string[] {
  const [old, now] = [before, after].map(
    (record) => new Map(saidOf(record).map(([path, value]) => [path, text(value)])),
  );
  if (old === undefined || now === undefined) return [];
  const paths = new Set([...old.keys(), ...now.keys()]);
  return [...paths].filter((path) => (old.get(path) ?? null) !== (now.get(path) ?? null));
}

/** Every value of a record with its path; objects are taken apart, arrays are one value. */
function saidOf(
  record: JsonObject,
  prefix = '',
): readonly (readonly [path: string, value: Json | undefined])[] {
  return Object.entries(record).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? saidOf(value as JsonObject, `${prefix}${key}.`)
      : [[`${prefix}${key}`, value] as const],
  );
}

/** Year 1 is not a value, like null. */
function text(value: unknown): string | null {
  return value === null || value === '0001-01-01T00:00:00Z' ? null : JSON.stringify(value);
}
