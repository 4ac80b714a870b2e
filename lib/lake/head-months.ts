import { hash } from 'node:crypto';
import { sideBySide } from '../side-by-side.ts';
import { DAY_MS } from '../time.ts';
import {
  type Head,
  type Month,
  monthShape,
  NEWEST_VERSION,
  type StoredForm,
  type TableFiles,
  type TableHead,
} from './head-shape.ts';
import { OBJECTS_AT_ONCE } from './json-object.ts';
import { lakeKey, listKeys } from './keys.ts';
import type { Lake } from './lake.ts';

/** How long a released file stays. A reader from before the commit has ended by then. */
export const KEPT_MS = DAY_MS;

/** A head as it is stored, with the files of months that it needs. */
export interface SplitHead {
  readonly stored: Omit<StoredForm, 'releasedMonths'>;
  /** By month. */
  readonly files: ReadonlyMap<string, { readonly hash: string; readonly bytes: Buffer }>;
}

/**
 * Takes the dates of closed months out of a head. A month's file is named by its content, so heads with the
 * same dates share it. So a copy of a head does not grow with the years.
 */
export function splitHead({ tables, released, ...rest }: Head): SplitHead {
  const open = monthOf(rest.exportDate);
  const kept: Record<string, TableHead> = {};
  const closed = new Map<string, Record<string, Record<string, TableFiles>>>();
  for (const [table, { newest, dates }] of Object.entries(tables).sort(byName)) {
    const inline: Record<string, TableFiles> = {};
    for (const [date, files] of Object.entries(dates).sort(byName)) {
      const month = monthOf(date);
      if (month >= open) inline[date] = orderedFiles(files);
      else place(closed, { month, table })[date] = orderedFiles(files);
    }
    kept[table] = { newest, dates: inline };
  }
  const files = new Map(
    [...closed].sort(byName).map(([month, content]) => {
      const bytes = Buffer.from(`${JSON.stringify(content)}\n`);
      return [month, { bytes, hash: hash('sha256', bytes).slice(0, 20) }] as const;
    }),
  );
  const months = Object.fromEntries([...files].map(([month, { hash }]) => [month, hash]));
  return {
    stored: { version: NEWEST_VERSION, ...rest, tables: kept, months, released: grouped(released) },
    files,
  };
}

/** Puts the members in a fixed order, because the bytes of a month's file decide its name. */
function orderedFiles({ run, parts, sums }: TableFiles): TableFiles {
  return { run, parts, ...(sums && { sums }) };
}

function place(
  months: Map<string, Record<string, Record<string, TableFiles>>>,
  { month, table }: { readonly month: string; readonly table: string },
): Record<string, TableFiles> {
  const tables = months.get(month) ?? {};
  months.set(month, tables);
  tables[table] ??= {};
  return tables[table];
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);

function monthOf(date: string): string {
  return date.slice(0, 7);
}

function grouped(released: Head['released']): StoredForm['released'] {
  const groups = Map.groupBy(
    released,
    ({ table, date, run, at }) => `${table === null} ${date} ${run} ${at}`,
  );
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { table, date, run, at } = first;
    const tables = table === null ? null : [table, ...others.flatMap((each) => each.table ?? [])];
    return [{ tables, date, run, at }];
  });
}

/** The head of a stored form, with all its dates. Throws where a month's file is lost or damaged. */
export async function joinHead(lake: Lake, stored: StoredForm): Promise<Head> {
  const { version: _, months, releasedMonths: __, released, ...rest } = stored;
  const names = Object.keys(months).sort();
  const contents = await sideBySide(names, OBJECTS_AT_ONCE, async (month) => {
    return await readMonth(lake, { month, hash: months[month] ?? '' });
  });
  const tables = Object.fromEntries(
    Object.entries(stored.tables).map(([table, { newest, dates }]) => [
      table,
      {
        newest,
        dates: Object.assign({}, ...contents.map((month) => month[table]), dates) as TableHead['dates'],
      },
    ]),
  );
  const flat = released.flatMap(({ tables: of, ...each }) =>
    (of ?? [null]).map((table) => ({ table, ...each })),
  );
  return { ...rest, tables, released: flat };
}

/** Months that were read or written: a month's file never changes. */
const seen = new Map<string, Month>();
/** Some 20 years; a month of 12 tables is 25 kB. */
const MOST_SEEN = 240;

async function readMonth(
  lake: Lake,
  file: { readonly month: string; readonly hash: string },
): Promise<Month> {
  const key = lakeKey('month', file);
  const known = seen.get(key);
  if (known !== undefined) return known;
  const object = await lake.read(key);
  if (object === undefined) throw new MonthLost(`${lake.name}/${key} is gone`);
  const parsed = monthShape.safeParse(jsonOrNothing(object.bytes));
  if (!parsed.success) throw new MonthLost(`${lake.name}/${key} is damaged`);
  if (seen.size >= MOST_SEEN) seen.clear();
  seen.set(key, parsed.data);
  return parsed.data;
}

/** A month's file that a head needs is lost or damaged. */
export class MonthLost extends Error {}

function jsonOrNothing(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Writes the files of months that a head needs, except those that are known to exist. */
export async function writeMonths(
  lake: Lake,
  { files }: SplitHead,
  there: Readonly<Record<string, string>> = {},
): Promise<void> {
  const lacking = [...files].filter(([month, { hash }]) => there[month] !== hash);
  await sideBySide(lacking, OBJECTS_AT_ONCE, async ([month, { hash, bytes }]) => {
    await lake.write(lakeKey('month', { month, hash }), bytes);
  });
}

/**
 * Writes the files of months that the head needs and the lake lacks: a process may know a month, but its file was lost
 * since. Returns those that the head does not name, with the time of their release. A commit removes them a day later,
 * so until then a rollback finds them. They include those of a rebuild that was cut off.
 */
export async function commitMonths(
  lake: Lake,
  options: {
    readonly split: SplitHead;
    readonly before: StoredForm['releasedMonths'];
    readonly now: string;
  },
): Promise<StoredForm['releasedMonths']> {
  const { split, before, now } = options;
  const { months } = split.stored;
  const there: Record<string, string> = {};
  const released: StoredForm['releasedMonths'] = [];
  const due: string[] = [];
  for await (const { key, month, hash } of listKeys(lake, 'month')) {
    if (months[month] === hash) {
      there[month] = hash;
      continue;
    }
    const at = before.find((each) => each.month === month && each.hash === hash)?.at ?? now;
    if (Date.parse(at) + KEPT_MS <= Date.parse(now)) due.push(key);
    else released.push({ month, hash, at });
  }
  await writeMonths(lake, split, there);
  await lake.remove(due);
  return released;
}
