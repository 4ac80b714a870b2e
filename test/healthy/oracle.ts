import type { Expected, ExpectedDay, ExpectedTable } from './expected.ts';
import { parentColumn } from './expected.ts';
import type { Committed, Row } from './read-tables.ts';
import type { Cell, Table } from './truth.ts';

/*
 * The oracle of the healthy world. It knows what the installation has and what a run printed and committed; it shares no
 * code with what it judges.
 */

/** Something that an installation which hides nothing must not cause. */
export interface Alarm {
  /** From 0. */
  readonly day: number;
  /** Its class: `failed`, `question`, `note`, `wrong` … and the code or table that it is about. */
  readonly kind: string;
  readonly says: string;
}

interface Asked {
  readonly code?: string;
  readonly resource?: string;
  readonly says?: string;
}

/** What `run --json` prints, as far as it is judged. */
export interface Printed {
  readonly status: string;
  readonly sources: readonly {
    readonly name: string;
    readonly status: string;
    readonly error?: { readonly code: string; readonly message: string };
    readonly questions?: readonly (string | Asked)[];
    readonly asks?: readonly Asked[];
    readonly drift?: readonly string[];
    readonly notes?: readonly Asked[];
  }[];
}

export interface JudgedRun {
  readonly day: number;
  readonly exitCode: number;
  readonly printed: Printed;
  /** The committed table of that name. */
  readonly outcomes: readonly Row[];
}

/** A player that left is gone; the tables tell whether it was one that is still there. */
const FINE = new Set(['ok', 'empty', 'gone']);

/** What is wrong with what a run printed. */
export function judgeRun({ day, exitCode, printed, outcomes }: JudgedRun): readonly Alarm[] {
  const alarms: Alarm[] = [];
  const add = (kind: string, says: string) => alarms.push({ day, kind, says });
  for (const source of printed.sources) {
    const { name, status, error, questions = [], asks = [], drift = [], notes = [] } = source;
    const own = outcomes.filter((row) => row['export_source'] === name && !FINE.has(String(row['outcome'])));
    const failures = Map.groupBy(own, (row) => `${row['error_code'] ?? row['outcome']} ${row['resource']}`);
    for (const [kind, [row]] of failures) add(kind, String(row?.['message']));
    if (failures.size === 0 && error !== undefined) add(error.code, error.message);
    else if (failures.size === 0 && status !== 'complete')
      add(`${status} without an error`, JSON.stringify(source));
    if (status === 'complete')
      for (const { code, resource, says } of asks) add(`question ${code} ${resource}`, says ?? '');
    const asked = asks.length + (error === undefined ? 0 : 1);
    if (asked === 0)
      for (const each of questions) add('question', typeof each === 'string' ? each : (each.says ?? ''));
    if (asks.length === 0) for (const each of drift) add('drift', each);
    for (const { code, resource, says } of day === 0 ? [] : notes)
      add(`late note ${code} ${resource}`, says ?? '');
    for (const [resource, own] of Map.groupBy(notes, (note) => note.resource))
      if (own.length > 1) add(`${own.length} notes ${resource}`, own.map(({ says }) => says).join('; '));
  }
  if (exitCode !== 0 && alarms.length === 0) add(`exit code ${exitCode}`, printed.status);
  if (exitCode === 0 && printed.status !== 'complete')
    add('exit code 0', `of a run that is ${printed.status}`);
  return alarms;
}

export interface JudgedTables {
  readonly day: number;
  readonly committed: Committed;
  readonly expected: ExpectedDay;
  /** The tables of that date as `_daily` shows them. @default the newest ones */
  readonly date?: string;
}

/** Where the tables differ from what the installation had. */
export async function judgeTables({
  day,
  committed,
  expected,
  date,
}: JudgedTables): Promise<readonly Alarm[]> {
  const alarms: Alarm[] = [];
  for (const [table, due] of expected) {
    const rows = date === undefined ? await committed.newest(table) : await committed.daily(table, date);
    const daily = date === undefined ? '' : '_daily';
    for (const [kind, says] of tableFaults(table, due, rows))
      alarms.push({ day, kind: `${kind} ${table}${daily}`, says });
  }
  return alarms;
}

function tableFaults(
  table: Table,
  due: ExpectedTable,
  rows: readonly Row[],
): readonly (readonly [string, string])[] {
  const columns = new Set(rows.flatMap((row) => Object.keys(row)));
  const columnOf = (field: string) => due.columns(field).find((name) => columns.has(name)) ?? field;
  const parent = parentColumn(table);
  const keyOf = (source: unknown, of: unknown, own: unknown) => `${source} ${of ?? ''} ${own}`;
  const key = due.rows[0] === undefined ? 'id' : 'id' in due.rows[0].fields ? 'id' : keyField(due.rows[0]);
  const found = Map.groupBy(rows, (row) =>
    keyOf(row['export_source'], parent === null ? '' : row[parent], row[columnOf(key)]),
  );
  const wrong = new Map<string, string>();
  let missing = 0;
  for (const { source, parent: of, fields } of due.rows) {
    const row = found.get(keyOf(source, of, fields[key]))?.shift();
    if (row === undefined) missing++;
    else
      for (const [field, said] of Object.entries(fields))
        if (!isSame(row[columnOf(field)], PARENT_IDS.has(columnOf(field)) ? String(said) : said))
          wrong.set(field, `${field} is ${String(row[columnOf(field)])} and not ${JSON.stringify(said)}`);
  }
  const beside = [...found.values()].flat().length;
  const of = `${rows.length} rows of ${due.rows.length}`;
  return [
    ...(missing > 0 ? [['short', `${of}, ${missing} missing`] as const] : []),
    ...(beside > 0 ? [['too many', `${of}, ${beside} that are none`] as const] : []),
    ...(wrong.size > 0 ? [['wrong', [...wrong.values()].join('; ')] as const] : []),
  ];
}

/** The id of a parent is text, whatever the API says. */
const PARENT_IDS = new Set(['player_id', 'storage_id']);

/** The field that identifies a record without an id: the type of a licence. The one object of a price list may take any. */
function keyField({ fields }: Expected): string {
  return ['type', 'kind'].find((field) => field in fields) ?? Object.keys(fields)[0] ?? 'id';
}

/** Whether a cell holds what the API said: a moment may be one of time, a number may be wide. */
function isSame(cell: unknown, said: Cell): boolean {
  if (said === null) return cell === null || cell === undefined;
  if (cell instanceof Date)
    return cell.getTime() === (typeof said === 'number' ? said * 1000 : Date.parse(String(said)));
  if (typeof cell === 'bigint') return cell === BigInt(Math.trunc(Number(said))) && typeof said === 'number';
  // The reader makes numbers of decimals with nine digits by floating point.
  if (typeof cell === 'number' && typeof said === 'number') return Math.abs(cell - said) < 1e-9;
  return cell === said;
}
