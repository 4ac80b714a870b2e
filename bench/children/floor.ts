import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { DuckDBInstance } from '@duckdb/node-api';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { readHead } from '#lib/lake/head.ts';
import { tableKeys } from '#lib/lake/named-files.ts';
import { storedRaw } from '#lib/run/raw-of-run.ts';
import { quoteLiteral, readParquet } from '#lib/sql.ts';
import { argument, report, timed } from './report.ts';

export interface FloorArgument {
  readonly lake: string;
}

export interface FloorMeasured {
  readonly rows: number;
  /** The floor: reading the records as NDJSON, and writing them sorted, typed and compressed. */
  readonly seconds: number;
  /** The size of our file ÷ that of DuckDB's own file with the same rows, columns and order. */
  readonly bytesRatio: number;
  readonly bytesPerRow: number;
}

/** DuckDB alone over the screens of a lake's newest run. */
const { lake: folder } = argument<FloorArgument>();
const lake = folderLake(folder);
const head = (await readHead(lake))?.head;
const newest = head?.tables.screens?.newest;
if (head === undefined || newest === undefined) throw new Error('the lake has no screens');
const [screens] = await storedRaw(lake, { runId: head.runId, source: 'lab', resource: 'screens' });
const raw = readParquet(await lake.localPaths(screens?.keys ?? []));
const paths = await lake.localPaths(tableKeys('screens', newest));
const ours = readParquet(paths);
const [ndjson, floor, own] = ['records.ndjson', 'floor.parquet', 'own.parquet'].map((name) =>
  quoteLiteral(`${folder}/${name}`),
);

const instance = await DuckDBInstance.create(':memory:', {
  memory_limit: '1GB',
  threads: String(Math.min(4, availableParallelism())),
});
const db = await instance.connect();
await db.run(`
  copy (select unnest(from_json(body, '["JSON"]'))::varchar as record from ${raw} where items > 0)
  to ${ndjson} (format csv, header false, quote '', escape '', delimiter '\t')`);
await db.run(
  `create view records as select * from read_json(${ndjson}, hive_partitioning = false, format = 'newline_delimited')`,
);
const columns = (await db.runAndReadAll('describe records')).getRowObjects();
const types = columns.map(
  ({ column_name: name, column_type: type }) =>
    `${quoteLiteral(String(name))}: ${quoteLiteral(String(type))}`,
);
const seconds = await timed(() =>
  db.run(`
    copy (
      select * from read_json(${ndjson}, hive_partitioning = false, format = 'newline_delimited', columns = {${types.join(', ')}}) order by "Id"
    ) to ${floor} (format parquet, compression zstd)`),
);
await db.run(`
  copy (select * from ${ours} order by export_source, record_key)
  to ${own} (format parquet, compression zstd)`);
const [counted] = (await db.runAndReadAll(`select count(*)::double as n from ${ours}`)).getRowObjects();
const bytes = (path: string) => statSync(path).size;
const written = paths.reduce((sum, path) => sum + bytes(path), 0);
const rows = Number(counted?.n ?? 0);
const measured: FloorMeasured = {
  rows,
  seconds,
  bytesRatio: written / bytes(`${folder}/own.parquet`),
  bytesPerRow: written / rows,
};
report(measured);
