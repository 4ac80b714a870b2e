import type { Head, TableHead } from '../lake/head.ts';
import { writeJson } from '../lake/json-object.ts';
import { lakeKey, lakePrefix, parseKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { withFiles } from '../lake/named-files.ts';
import { removeAll } from '../lake/remove-all.ts';
import { readBaseHead } from '../run/base.ts';
import { readPlan } from '../run/plan-file.ts';
import { readPublishedUnits, verdictIn, writtenFiles } from '../run/published-unit.ts';
import { oldestDate, type RunRecord } from '../run/run-record.ts';
import { summaryOf } from '../run/summary.ts';
import { attemptName } from '../run-id.ts';
import { TABLES } from '../schema/tables.ts';

/**
 * The head after an attempt with all its units published. In each table that the attempt wrote, its date
 * names the new files; nothing else changes. Writes the summary of the run. Throws COMMIT_FENCED.
 */
export async function nextHead(
  lake: Lake,
  { record, committedAt }: { readonly record: RunRecord; readonly committedAt: Date },
): Promise<Omit<Head, 'released'>> {
  const base = await readBaseHead(lake, record);
  const plan = await readPlan(lake, record);
  const units = await readPublishedUnits(lake, record, plan.units);
  const summary = summaryOf({ record, units, committedAt });
  await writeJson(lake, lakeKey('summary', record), summary);
  // They may show what is hidden now.
  if (summary.hidden !== undefined) await removeAll(lake, lakePrefix('figures', {}));
  const files = writtenFiles(units, record);
  const tables: Record<string, TableHead> = { ...withFiles(base?.tables ?? {}, files, record.exportDate) };
  const own = attemptName(record);
  for (const { name } of TABLES.filter(({ onlyDays }) => onlyDays)) {
    const table = tables[name];
    if (table === undefined || table.dates[record.exportDate]?.run === own) continue;
    // The run replaces its date in such a table. If it has no row to write, the date leaves the table.
    const { [record.exportDate]: _, ...dates } = table.dates;
    tables[name] = { ...table, dates };
  }
  return {
    runId: record.runId,
    attempt: record.attempt,
    scheduledAt: record.scheduledAt,
    committedAt: committedAt.toISOString(),
    exportDate: record.exportDate,
    status: verdictIn(units).status,
    schema: lakeKey('schema', record),
    tables: withoutOldDates(tables, oldestDate(record, { tables })),
    dialects: { ...base?.dialects, ...plan.dialects },
    previous: base?.runId ?? null,
    ...(isAttemptHead(record.baseHead) && { base: record.baseHead }),
    sources: record.config.sources.map(({ name }) => name),
    ...(base?.toldRun !== undefined && base.toldRun > record.runId && { toldRun: base.toldRun }),
  };
}

/** True where a rebuild made the head, so it is not the committed one. */
function isAttemptHead(key: string | null): key is string {
  return key !== null && parseKey(key)?.kind === 'attemptHead';
}

/** Dates beyond dailyRetentionDays leave the daily tables; the newest state stays at any age. */
function withoutOldDates(
  tables: Readonly<Record<string, TableHead>>,
  oldest: string,
): Record<string, TableHead> {
  const ofTable = (table: TableHead): TableHead => {
    const isKept = (date: string) => date >= oldest || date === table.newest.date;
    if (Object.keys(table.dates).every(isKept)) return table;
    const dates = Object.fromEntries(Object.entries(table.dates).filter(([date]) => isKept(date)));
    return { ...table, dates };
  };
  return Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, ofTable(table)]));
}
