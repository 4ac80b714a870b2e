import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openTables } from '#cli/open-tables.ts';
import { folderLake } from '#lib/lake/folder-lake.ts';
import { type Head, readHead } from '#lib/lake/head.ts';
import { lakeKey } from '#lib/lake/keys.ts';
import { parseAttemptName } from '#lib/run-id.ts';
import { argument, report, timed } from './report.ts';

export interface YearArgument {
  /** A lake of one committed run. */
  readonly lake: string;
  readonly days: number;
}

export interface YearMeasured {
  /** `select … where export_date = …`, the median of five. */
  readonly oneDaySeconds: number;
  /** The same over the newest table: one day without the others beside it. */
  readonly newestSeconds: number;
  readonly allDaysSeconds: number;
  /** True where no file of another date was opened, but the first, of which DuckDB takes the columns. */
  readonly readsOnlyItsDay: boolean;
}

const { lake: folder, days } = argument<YearArgument>();
const lake = folderLake(folder);
const stored = await readHead(lake);
const screens = stored?.head.tables.screens;
const [first] = Object.entries(screens?.dates ?? {});
if (stored === undefined || screens === undefined || first === undefined) throw new Error('no screens');
const [firstDate, files] = first;
const dates: Record<string, unknown> = { [firstDate]: files };
const place = { table: 'screens', part: files.parts[0] ?? 0, ...parseAttemptName(files.run) };
const pathOf = (exportDate: string) => join(folder, lakeKey('table', { ...place, exportDate }));
for (let day = 1; day < days; day++) {
  const date = new Date(Date.parse(firstDate) - day * 86_400_000).toISOString().slice(0, 10);
  const to = pathOf(date);
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(pathOf(firstDate), to);
  dates[date] = files;
}
const head = JSON.parse(readFileSync(join(folder, 'state/head.json'), 'utf8')) as Head;
writeFileSync(
  join(folder, 'state/head.json'),
  JSON.stringify({ ...head, tables: { ...head.tables, screens: { ...screens, dates } } }),
);

// Nothing is in the files of the other dates any more, so a query that opened one of them would fail.
const asked = Object.keys(dates)[Math.floor(days / 2)] ?? firstDate;
const tables = await openTables(lake);
const oneDay = `select count(distinct player_id) n from screens_daily where export_date = '${asked}'`;
const allDaysSeconds = await timed(() =>
  tables.query('select count(distinct player_id) n from screens_daily'),
);
const oneDaySeconds = await medianOf(5, () => tables.query(oneDay));
const newestSeconds = await medianOf(5, () =>
  tables.query('select count(distinct player_id) n from screens'),
);
for (const date of Object.keys(dates)) {
  if (date !== asked && date !== firstDate) truncateSync(pathOf(date));
}
const isAnswered = await tables.query(oneDay).then(
  () => true,
  () => false,
);
tables[Symbol.dispose]();
const measured: YearMeasured = { oneDaySeconds, newestSeconds, allDaysSeconds, readsOnlyItsDay: isAnswered };
report(measured);

async function medianOf(times: number, step: () => Promise<unknown>): Promise<number> {
  const all: number[] = [];
  for (let i = 0; i < times; i++) all.push(await timed(step));
  return all.sort((a, b) => a - b)[Math.floor(times / 2)] ?? 0;
}
