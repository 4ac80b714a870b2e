import { afterAll, beforeAll, expect, it } from 'vitest';
import { leavingDatabase } from '#cli/leaving-database.ts';
import { runLocally } from '#cli/run-locally.ts';
import { sampleRecords } from '#lib/plan/meaning/sample-records.ts';
import type { DuckDb } from '#lib/runtime/duckdb.ts';
import { openCells } from '../schema/cells.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { labServices } from '../support/lab-services.ts';

const AT = '2026-11-20T03:00:00.000Z';

let db: DuckDb;
beforeAll(async () => {
  db = await openCells();
});
afterAll(() => db[Symbol.dispose]());

/** A DuckDB that notes the calls of all its connections. */
function noting(inner: DuckDb, calls: string[]): DuckDb {
  const noted =
    <Result>(call: (sql: string) => Promise<Result>) =>
    (sql: string) => {
      calls.push(sql);
      return call(sql);
    };
  return {
    ...inner,
    run: noted(inner.run),
    rows: noted(inner.rows),
    beside: async () => noting(await inner.beside(), calls),
  };
}

it('a small run that others went before makes few calls to DuckDB', async () => {
  await using lab = await signageLab({
    [`${SIGNAGE}/Players`]: {
      body: '[{"Id":1,"Name":"Hof","LastAccess":"0001-01-01T00:00:00Z"},{"Id":2,"Name":"Ulm","LastAccess":"2026-11-19T03:00:00Z"}]',
    },
    [`${SIGNAGE}/Players/1/Screens`]: { body: '[{"Id":1,"Name":"left"},{"Id":2,"Name":"right"}]' },
  });
  const calls: string[] = [];
  const secrets = { read: async () => ({ apiKey: 'fixture-key' }) };
  for (const day of ['20', '21']) {
    calls.length = 0;
    await using services = labServices({ lake: lab.lake }, secrets, () => 0);
    const { duckDb } = services;
    const counted = duckDb && { ...duckDb, connect: async () => noting(await duckDb.connect(), calls) };
    await runLocally(
      { scheduledTime: `2026-11-${day}T03:00:00Z` },
      { ...leavingDatabase({ ...services, ...(counted && { duckDb: counted }) }), config: lab.config },
    );
  }
  // Each costs a millisecond, and its macros are planned again.
  expect(calls.length).toBeLessThanOrEqual(53);
  expect(calls.filter((sql) => sql.includes('grain: listing, sampled record'))).toHaveLength(2);
  expect(calls.filter((sql) => sql.includes('cell_class('))).toEqual([]);
});

it('R10: a listing that cannot be sampled takes no sample from the others', async () => {
  const toSample = (records: string) => ({
    slices: {
      sql: `select null::varchar as parent_id, 0 as pass, 0 as page, 0 as slice, now() as answered_at, ${records} as records`,
      counts: undefined,
    },
    field: 'Id',
    paths: [['Name']],
    areFew: true,
    at: AT,
  });
  const [first, broken, last] = [
    toSample(`'[{"Id":1,"Name":"Hof"}]'`),
    toSample(`error('too large')::varchar`),
    toSample(`'[{"Id":2,"Name":"Ulm"},{"Id":3,"Name":"Ulm"}]'`),
  ] as const;
  const found = await sampleRecords(db, [first, broken, last]);
  expect(found.get(first)).toMatchObject({ at: AT, ids: [expect.any(String)] });
  expect(found.get(last)?.ids).toHaveLength(2);
  expect(found.has(broken)).toBe(false);
});
