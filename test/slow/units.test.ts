import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readHead } from '#lib/lake/head.ts';
import { parseKey } from '#lib/lake/keys.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { listKeys } from '#lib/lake/list-keys.ts';
import { applyType } from '#lib/repair/apply-type.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { type RunSummary, readSummary } from '#lib/run/summary.ts';
import type { ResourceUnit, Unit } from '#lib/run/unit.ts';
import { readUnit } from '#lib/run/unit.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import { TABLES } from '#lib/schema/tables.ts';
import { type ExportLab, exportLab } from '../support/export-lab.ts';
import { operatorOf } from '../support/runs.ts';
import { someOf } from '../support/some-of.ts';

const DAY_1 = '2026-11-20';
const DAY_2 = '2026-11-21';
const CHILDREN = ['backup_slots', 'pending_file_transfers', 'screens'];
/** Raw of a unit: about a batch of the world below, and all of it. */
const MANY = 1500;
const ONE = Number.POSITIVE_INFINITY;

let lab: ExportLab;
/** What every table says where each is one unit. */
let whole: Readonly<Record<string, string>>;
let counts: RunSummary['tables'];

/** Two days, the second with players that are gone, denied or fail; the rates cut batches, and nothing waits for them. */
beforeAll(async () => {
  lab = await exportLab(
    { players: 40, seed: 5 },
    { signage: { requestsPerSecond: 0.25 }, backup: { requestsPerSecond: 0.01 } },
  );
  const unlimited = (local: ApiServices): ApiServices => ({
    ...local,
    unitBytes: ONE,
    client: (source, place) => local.client({ ...source, requestsPerSecond: null }, place),
  });
  await lab.run(`${DAY_1}T03:00:00Z`, { services: unlimited });
  lab.simulator.day = 1;
  await lab.simulator.setFaults('gone:0.1,denied:0.2,reset:0.05');
  counts = (await lab.run(`${DAY_2}T03:00:00Z`, { services: unlimited, random: () => 0 })).tables;
  whole = await everything();
});
afterAll(() => lab[Symbol.asyncDispose]());

it('the second day has rows that are carried over, and changes for each reason', async () => {
  const carried = `select count(*) > 0 as some from screens where export_run_id = '20261120T030000Z'`;
  expect(await lab.rows(carried)).toEqual([{ some: true }]);
  const reasons = await lab.rows(
    "select distinct change, reason from changes where table_name in ('screens', 'pending_file_transfers') order by all",
  );
  expect(reasons).toEqual([
    { change: 'added', reason: null },
    { change: 'changed', reason: null },
    { change: 'removed', reason: 'gone' },
    { change: 'removed', reason: 'not listed' },
    { change: 'removed', reason: 'parent not listed' },
  ]);
});

describe('a table whose raw exceeds what a unit reads', () => {
  it.each([
    { title: 'one, then many', from: DAY_2, unitBytes: MANY, isCut: [false, true] },
    { title: 'many on both days', from: DAY_1, unitBytes: MANY, isCut: [true, true] },
    { title: 'many, then one', from: DAY_2, unitBytes: ONE, isCut: [true, false] },
  ])('says the same however it is cut: $title', async ({ from, unitBytes, isCut }) => {
    await publishAnew(from, unitBytes);
    const { tables, ...head } = await newest();
    for (const table of CHILDREN) {
      const parts = [DAY_1, DAY_2].map((date) => tables[table]?.dates[date]?.parts.length ?? 0);
      expect(
        parts.map((each) => each > 1),
        table,
      ).toEqual(isCut);
    }
    expect(await everything()).toEqual(whole);
    expect((await readSummary(lab.lake, head)).tables).toEqual(counts);
  });

  it('is cut into units that each read a part of its raw, and no file twice', async () => {
    await publishAnew(DAY_2, MANY);
    for (const table of CHILDREN) {
      const units = await unitsOf(table);
      const rawOf = ({ collected }: ResourceUnit) => collected.flatMap(({ raw }) => raw);
      const all = new Set(units.flatMap(rawOf));
      expect(
        units.map(({ part }) => part),
        table,
      ).toEqual([...units.keys()]);
      for (const raw of someOf(units.map(rawOf))) {
        expect(new Set(raw).size).toBe(raw.length);
        expect(raw.length, table).toBeLessThan(all.size);
      }
    }
    expect(await unitsOf('players')).toHaveLength(1);
  });

  it('is given another type in all its parts', async () => {
    await publishAnew(DAY_1, MANY);
    const ids = 'select export_date, record_key, id::varchar as id from screens_daily order by all';
    const before = await lab.rows(ids);
    await applyType({ table: 'screens', column: 'id', type: 'varchar' }, services());
    expect(await lab.rows(ids)).toEqual(before);
    expect(await lab.rows('select distinct typeof(id) as type from screens_daily')).toEqual([
      { type: 'VARCHAR' },
    ]);
  });
});

async function newest() {
  const stored = await readHead(lab.lake);
  if (stored === undefined) throw new Error('nothing is committed');
  return stored.head;
}

const services = () => operatorOf(lab);

/** A lake that keeps units, so that they can be looked at. */
const keepingUnits = (): Lake => ({
  ...lab.lake,
  remove: (keys) => lab.lake.remove(keys.filter((key) => parseKey(key)?.kind !== 'unit')),
});

/** Makes the runs from a day on again from raw. */
async function publishAnew(from: string, unitBytes: number): Promise<void> {
  await rebuild(from, { ...services(), lake: keepingUnits(), unitBytes });
}

/** The newest run's units of a table. */
async function unitsOf(table: string): Promise<readonly ResourceUnit[]> {
  const { runId, attempt } = await newest();
  const units: Unit[] = [];
  for await (const place of listKeys(lab.lake, 'unit', { runId, attempt })) {
    units.push(await readUnit(lab.lake, place));
  }
  return units.filter((unit) => unit.kind === 'resource').filter((unit) => unit.table === table);
}

/** Every cell of every table and day. */
async function everything(): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const { name, onlyDays } of TABLES) {
    for (const table of onlyDays ? [name] : [name, `${name}_daily`]) {
      found[table] = JSON.stringify(await lab.rows(`select * from ${table} order by all`), null, 1);
    }
  }
  return found;
}
