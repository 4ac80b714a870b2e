import { copyFileSync, linkSync, mkdirSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { commitHead, readHead, type TableHead } from '#lib/lake/head.ts';
import { lakeKey } from '#lib/lake/keys.ts';
import { parseAttemptName } from '#lib/run-id.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { argument, medianOf, report, timed } from './report.ts';

export interface YearArgument {
  /** A lake of one committed run. */
  readonly lake: string;
  readonly days: number;
}

export interface YearMeasured {
  /** `select … where export_date = …`, the median of five. */
  readonly oneDaySeconds: number;
  /** The same over the newest table, which has one day. */
  readonly newestSeconds: number;
  readonly allDaysSeconds: number;
  /** True if no file of another date was opened. DuckDB opens the newest one for its columns. */
  readonly readsOnlyItsDay: boolean;
}

const { lake: folder, days } = argument<YearArgument>();
const lake = folderLake(folder);
const stored = await readHead(lake);
if (stored === undefined) throw new Error('nothing is committed');
const { exportDate: newest } = stored.head;
const dates = Array.from({ length: days }, (_, day) =>
  new Date(Date.parse(newest) - day * 86_400_000).toISOString().slice(0, 10),
);
const pathsOf = (
  table: string,
  { run, parts }: { run: string; parts: readonly number[] },
  exportDate: string,
) =>
  parts.map((part) => join(folder, lakeKey('table', { table, part, exportDate, ...parseAttemptName(run) })));
const tables: Record<string, TableHead> = {};
for (const [table, { newest: files }] of Object.entries(stored.head.tables)) {
  const { run, parts } = files;
  tables[table] = { newest: files, dates: Object.fromEntries(dates.map((date) => [date, { run, parts }])) };
  const from = pathsOf(table, files, newest);
  for (const date of dates.slice(1)) {
    for (const [index, to] of pathsOf(table, files, date).entries()) {
      mkdirSync(dirname(to), { recursive: true });
      // The files of screens are cut below, so they must be copies.
      (table === 'screens' ? copyFileSync : linkSync)(from[index] ?? '', to);
    }
  }
}
await commitHead(lake, { ...stored.head, tables }, stored.etag);

// The files of the other dates are empty now, so a query that opens one of them fails.
const asked = dates[Math.floor(days / 2)] ?? newest;
const opened = await openTables(lake);
const oneDay = `select count(distinct player_id) n from screens_daily where export_date = '${asked}'`;
const allDaysSeconds = await timed(() =>
  opened.query('select count(distinct player_id) n from screens_daily'),
);
const oneDaySeconds = await medianOf(5, () => timed(() => opened.query(oneDay)));
const newestSeconds = await medianOf(5, () =>
  timed(() => opened.query('select count(distinct player_id) n from screens')),
);
const whole = await opened.query(oneDay);
const screens = tables.screens?.newest;
for (const date of dates.slice(1)) {
  if (date === asked || screens === undefined) continue;
  for (const path of pathsOf('screens', screens, date)) truncateSync(path);
}
const isAnswered = await opened.query(oneDay).then(
  ({ rows }) => Number(rows[0]?.[0]) > 0 && isDeepStrictEqual(rows, whole.rows),
  () => false,
);
opened[Symbol.dispose]();
const measured: YearMeasured = { oneDaySeconds, newestSeconds, allDaysSeconds, readsOnlyItsDay: isAnswered };
report(measured);
