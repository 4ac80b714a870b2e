import type { Head, TableHead } from '../lake/head.ts';
import { lakeKey, parseKey } from '../lake/keys.ts';
import { withFiles } from '../lake/named-files.ts';
import type { PlanFile } from '../run/plan-file.ts';
import { type PublishedUnit, verdictIn, writtenFiles } from '../run/published-unit.ts';
import { oldestDate, type RunRecord } from '../run/run-record.ts';
import { attemptName } from '../run-id.ts';
import { TABLES } from '../schema/tables.ts';

export interface NextHeadOptions {
  readonly record: RunRecord;
  /** The head that the run builds upon. */
  readonly base: Head | undefined;
  readonly plan: PlanFile;
  readonly units: readonly PublishedUnit[];
  readonly committedAt: Date;
}

/**
 * The head after this attempt. In every table that the attempt wrote, its date names the new files; all else is as it
 * was.
 */
export function nextHead({
  record,
  base,
  plan,
  units,
  committedAt,
}: NextHeadOptions): Omit<Head, 'released'> {
  const files = writtenFiles(units, record);
  const tables: Record<string, TableHead> = { ...withFiles(base?.tables ?? {}, files, record.exportDate) };
  const own = attemptName(record);
  for (const { name } of TABLES.filter(({ onlyDays }) => onlyDays)) {
    const table = tables[name];
    if (table === undefined || table.dates[record.exportDate]?.run === own) continue;
    // The run replaces what its date had in such a table. Where it has no row to write, the date leaves the table.
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
    tables: withoutOldDates(tables, record),
    dialects: { ...base?.dialects, ...plan.dialects },
    previous: base?.runId ?? null,
    ...(isAttemptHead(record.baseHead) && { base: record.baseHead }),
    sources: record.config.sources.map(({ name }) => name),
  };
}

/** True where a rebuild made the head, and it is not the committed one. */
function isAttemptHead(key: string | null): key is string {
  return key !== null && parseKey(key)?.kind === 'attemptHead';
}

/** Dates beyond dailyRetentionDays leave the daily tables; the newest state stays, however old it is. */
function withoutOldDates(
  tables: Readonly<Record<string, TableHead>>,
  record: RunRecord,
): Record<string, TableHead> {
  const oldest = oldestDate(record);
  const ofTable = (table: TableHead): TableHead => {
    const isKept = (date: string) => date >= oldest || date === table.newest.date;
    if (Object.keys(table.dates).every(isKept)) return table;
    const dates = Object.fromEntries(Object.entries(table.dates).filter(([date]) => isKept(date)));
    return { ...table, dates };
  };
  return Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, ofTable(table)]));
}
