import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { localServices } from '#cli/local-services.ts';
import { glueCatalog } from '#lib/aws/glue-catalog.ts';
import { PRINT, tableInput } from '#lib/aws/glue-inputs.ts';
import { syncCatalog } from '#lib/catalog/sync-catalog.ts';
import { wantedTables } from '#lib/catalog/wanted-tables.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { commitHead } from '#lib/lake/head.ts';
import { EMPTY_SCHEMA } from '#lib/schema/schema.ts';
import { TABLES } from '#lib/schema/tables.ts';
import { start } from '#lib/start/start.ts';
import { DAY_MS, HOUR_MS } from '#lib/time.ts';
import { answeringAws } from '../cli/support.ts';
import { labConfig } from '../support/export-lab.ts';
import { head } from '../support/head.ts';
import { temporaryFolder } from '../support/lake-children.ts';

const NEWEST = Date.parse('2026-11-21T03:00:00Z');
const DAYS = 3650;
/** What Glue takes for an answer here, and the most partitions of one. */
const GLUE_MS = 100;
const PAGE = 1000;
/** The pages of a table but the first, one after the other, and the CPU time of reading all of them. */
const MORE_MS = Math.ceil(DAYS / PAGE) * GLUE_MS + 2500;

/** Milliseconds of starts, each with its look at the catalog, where a lake of so many days and Glue are in step. */
async function startsOf(days: number): Promise<readonly number[]> {
  await using folder = await temporaryFolder();
  const lake = folderLake(folder.path);
  const dateOf = (day: number) => new Date(NEWEST - day * DAY_MS).toISOString().slice(0, 10);
  const files = { run: '20261121T030000Z.1', parts: [0] };
  const dates = Object.fromEntries(Array.from({ length: days }, (_, day) => [dateOf(day), files]));
  const table = { newest: { date: dateOf(0), ...files }, dates };
  const next = head({ tables: Object.fromEntries(TABLES.map(({ name }) => [name, table])) });
  await lake.write(next.schema, Buffer.from(JSON.stringify(EMPTY_SCHEMA)));
  await commitHead(lake, next, undefined);
  const wanted = wantedTables({ head: next, schema: EMPTY_SCHEMA, lake: folder.path });
  await using _ = await answeringAws(async (request, response) => {
    const { TableName, NextToken = '0' } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const one = wanted.find((each) => each.table.name === TableName);
    const [all = [], from] = [one?.partitions, Number(NextToken)];
    const Partitions = all.slice(from, from + PAGE).map((day) => ({
      Values: [day.date],
      Parameters: { [PRINT]: day.fingerprint },
      StorageDescriptor: { Location: day.location },
    }));
    const answer = one
      ? { Partitions, ...(from + PAGE < all.length && { NextToken: String(from + PAGE) }) }
      : { TableList: wanted.map((each) => tableInput(each.table)) };
    await setTimeout(GLUE_MS);
    response.end(JSON.stringify(answer));
  });
  const took: number[] = [];
  for (const hour of [1, 2, 3]) {
    const now = new Date(NEWEST + hour * HOUR_MS);
    const config = labConfig('https://signage.example.com');
    const holder = { holder: { execution: 'lab' }, holderHasEnded: async () => true };
    const begun = performance.now();
    const event = { scheduledTime: now.toISOString() };
    const { kind } = await start(event, { ...localServices(lake), ...holder, now: () => now, config });
    const changes = await syncCatalog(lake, glueCatalog('signage'), []);
    took.push(performance.now() - begun);
    expect({ kind, ...changes }).toMatchObject({
      kind: 'started',
      tables: 0,
      tablesRemoved: 0,
      partitions: 0,
    });
  }
  return took;
}
afterEach(() => vi.unstubAllEnvs());

it('a start with ten years of all tables takes as long as with a day, but for pages of Glue', async () => {
  expect(TABLES.length).toBeGreaterThanOrEqual(13);
  const [day, years] = [await startsOf(1), await startsOf(DAYS)];
  console.info(JSON.stringify({ day, years }));
  expect(Math.min(...years)).toBeLessThan(1.3 * Math.min(...day) + MORE_MS);
});
