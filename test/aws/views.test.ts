import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { glueCatalog } from '#lib/aws/glue-catalog.ts';
import { type S3Lake, s3Lake } from '#lib/aws/s3-lake.ts';
import { syncCatalog } from '#lib/catalog/sync-catalog.ts';
import { TABLES } from '#lib/schema/tables.ts';
import { viewsOf } from '#lib/views/lake-views.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { inOrderOfReading, readViews, type ViewFile, type ViewTypes } from '#lib/views/view-file.ts';
import { type ExportLab, exportLab } from '../support/export-lab.ts';
import { someOf } from '../support/some-of.ts';
import { rowsAsText } from './support/compare.ts';
import { motoAt } from './support/moto.ts';
import { s3At, speakWith } from './support/s3.ts';
import { trinoAt } from './support/trino.ts';

const FOLDER = new URL('../../queries/', import.meta.url);
const files = await readViews(FOLDER);

const standIns = inject('standIns');
const s3 = s3At(standIns.s3);
const moto = motoAt(standIns.moto);
const trino = trinoAt(standIns.trino);
/** For a city of the simulator and for all others, across the ends of days and of summer time. */
const HOURS =
  'group,weekday,from,to,zone\nBerlin,Mon-Sat,09:00,20:00,Europe/Berlin\n*,Mon-Sun,18:00,03:30,America/New_York\n';

const catalog = glueCatalog('views', { client: moto.glue });
const withTypes = (types: Readonly<Record<string, ViewTypes>>): readonly ViewFile[] =>
  files.map((file) => ({ ...file, columns: types[file.name] ?? file.columns }));

let folder: string;
let lab: ExportLab;
let lake: S3Lake;
beforeAll(async () => {
  speakWith(s3);
  folder = await mkdtemp(join(tmpdir(), 'signage-export-views-'));
  const hours = join(folder, 'hours.csv');
  await writeFile(hours, HOURS);
  lab = await exportLab(
    { players: 60, seed: 5 },
    { config: { groups: ['City', 'CustomId'], hours, targets: { Berlin: 0.9, '*': 0.5 } } },
  );
  // Neither DuckDB nor Trino takes a name of the prefix for a column.
  lake = s3Lake(`s3://${await s3.bucket('views-lake')}/player_id=7/export_date=1999-01-01`, {
    pathStyle: true,
  });
  await moto.createDatabase('views');
  for (const [day, date] of ['2026-11-20', '2026-11-21'].entries()) {
    lab.simulator.day = day;
    await lab.run(`${date}T03:00:00Z`, { lake });
  }
  await syncCatalog(lake, catalog, files);
});
afterAll(async () => {
  for (const each of [lake, lab]) await each?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

describe('the views in Trino', () => {
  it('have the columns that queries/columns.json says', async () => {
    using tables = await openTables(lake);
    const found: Record<string, Record<string, string>> = {};
    for (const { name, sql } of inOrderOfReading(viewsOf(files, tables.schema, 'views'))) {
      const answer = await trino.query(`select * from (${sql}\n) limit 0`, 'views');
      found[name] = Object.fromEntries(answer.columns.map((column) => [column.name, column.type]));
      // A view that reads one of which the catalog knows no types, or others, cannot be asked.
      if (process.env['WRITE_VIEWS'] === '1') await syncCatalog(lake, catalog, withTypes(found));
    }
    expect(Object.keys(found)).toHaveLength(files.length);
    // A view is stale if Athena knows other types than its SQL has, whatever the config's groups and hours are.
    const bare = viewsOf(files, { ...tables.schema, groups: ['Name'], hours: [] }, 'views');
    for (const { name, sql } of someOf(bare.filter((view) => /config_/.test(view.sql)))) {
      const answer = await trino.query(`select * from (${sql}\n) limit 0`, 'views');
      expect([name, Object.fromEntries(answer.columns.map((column) => [column.name, column.type]))]).toEqual([
        name,
        found[name],
      ]);
    }
    if (process.env['WRITE_VIEWS'] === '1') {
      await writeFile(new URL('columns.json', FOLDER), `${JSON.stringify(found, null, 2)}\n`);
      return;
    }
    const cure = 'A view has other columns than queries/columns.json says: `npm run views` writes it again.';
    expect(Object.fromEntries(files.map(({ name, columns }) => [name, columns])), cure).toEqual(found);
  });

  it('have a sentence next to each column', async () => {
    for (const name of ['players_history', 'players']) {
      const { columns, rows } = await trino.query(`describe ${name}`, 'views');
      const at = columns.findIndex((column) => column.name === 'Comment');
      expect(rows.length).toBeGreaterThan(10);
      expect(rows.filter((row) => !row[at])).toEqual([]);
    }
  });

  const tables = TABLES.flatMap(({ name, onlyDays }) => (onlyDays ? [name] : [name, `${name}_daily`]));

  it.each([...files, ...tables.map((name) => ({ name }))])(
    '$name says in Trino what it says in DuckDB',
    async ({ name }) => {
      using tables = await openTables(lake);
      const local = await tables.query(`select * from ${name}`);
      const asked = await trino.query(`select * from ${name}`, 'views');
      expect(asked.columns.map((column) => column.name)).toEqual(local.columns);
      // Counted from now, so it grows from one question to the next.
      const lasting = local.columns.flatMap((column, index) => (column === 'hours_since_run' ? [] : [index]));
      const only = (rows: readonly (readonly unknown[])[]) =>
        rowsAsText(rows.map((row) => lasting.map((index) => row[index])));
      expect(only(asked.rows)).toEqual(only(local.rows));
      expect(asked.rows.length).toBeGreaterThan(0);
    },
  );
});
