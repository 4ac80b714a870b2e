import { isSame } from '../../support/expected-cells.ts';
import { type Day, type Row, TABLES, type Table, type Value } from './fleet.ts';
import type { StockServer } from './stock-server.ts';

/** Runs a query on what was committed. */
export type Query = (sql: string) => Promise<{
  readonly columns: readonly string[];
  readonly types: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}>;

export interface Compared {
  readonly query: Query;
  readonly server: StockServer;
  /** The date of the run, YYYY-MM-DD, and what was served. */
  readonly date: string;
  readonly day: Day;
}

/** How the tables of a date differ from what was served: SHORT where records are missing, else WRONG; none where all is there. */
export async function differences({ query, server, date, day }: Compared): Promise<readonly string[]> {
  const found: string[] = [];
  for (const table of TABLES) {
    const { columns, types, rows } = await query(
      `select * from ${table}_daily where export_date = '${date}'`,
    );
    const cellOf = (row: readonly unknown[], column: string) => row[columns.indexOf(column)];
    const key = keyFields(server, table);
    const keyOf = (said: (field: string) => unknown) => key.map((field) => String(said(field))).join('/');
    const left = Map.groupBy(rows, (row) => keyOf((field) => cellOf(row, field)));
    let missing = 0;
    const unlike = new Set<string>();
    for (const record of day[table]) {
      const row = left.get(keyOf((field) => saidOf(server, record, field)))?.shift();
      if (row === undefined) missing++;
      else
        for (const field of fieldsOf(server, table, record)) {
          const type = (types[columns.indexOf(field)] ?? '').toLowerCase().startsWith('timestamp')
            ? 'timestamp'
            : '';
          if (!isSame(cellOf(row, field), saidOf(server, record, field), type)) unlike.add(field);
        }
    }
    const beside = [...left.values()].flat().length;
    if (missing > 0) found.push(`SHORT ${table}`);
    if (beside > 0) found.push(`WRONG ${table}, rows too many`);
    if (unlike.size > 0) found.push(`WRONG ${table}.${[...unlike].sort().join(', ')}`);
  }
  return found;
}

/** How `changes` of the second day differs from what came, went and changed. */
export async function wrongChanges(
  { query, server, date, day }: Compared,
  before: Day,
): Promise<readonly string[]> {
  const { rows } = await query(
    `select table_name, record_key, change, coalesce(column_name, '') from changes where export_date = '${date}'`,
  );
  return TABLES.flatMap((table) => {
    const said = rows.filter(([name]) => name === table).map(([, ...change]) => change.join(' '));
    const due = dueChanges(server, table, [before[table], day[table]]);
    const lacking = due.filter((each) => !said.includes(each));
    const beside = said.filter((each) => !due.includes(each));
    return lacking.length + beside.length === 0 ? [] : [`WRONG changes of ${table}`];
  });
}

function dueChanges(
  server: StockServer,
  table: Table,
  [before, after]: readonly [readonly Row[], readonly Row[]],
): readonly string[] {
  const keyOf = (record: Row) =>
    keyFields(server, table)
      .map((field) => encodeURIComponent(String(saidOf(server, record, field))))
      .join('/');
  const [old, now] = [before, after].map((records) => new Map(records.map((each) => [keyOf(each), each])));
  return [
    ...[...(old?.keys() ?? [])].filter((key) => !now?.has(key)).map((key) => `${key} removed `),
    ...[...(now ?? [])].flatMap(([key, record]) => {
      const was = old?.get(key);
      if (was === undefined) return [`${key} added `];
      return fieldsOf(server, table, record)
        .filter((field) => record[field] !== was[field])
        .map((field) => `${key} changed ${field}`);
    }),
  ];
}

/** Parent before id, as `record_key` has them. */
function keyFields({ keys }: StockServer, table: Table): readonly string[] {
  const own = keys?.[table] ?? 'id';
  return table === 'screens' || table === 'pending_file_transfers' ? ['player_id', own] : [own];
}

function fieldsOf({ lacks }: StockServer, table: Table, record: Row): readonly string[] {
  return Object.keys(record).filter((field) => !lacks?.[table]?.includes(field));
}

/** What the server says in a field of that record; the parent's id is text in any case. */
function saidOf({ id, says }: StockServer, record: Row, field: string): Value {
  const value = record[field] ?? null;
  if (field === 'player_id' || (field === 'id' && id !== undefined)) return (id ?? String)(Number(value));
  return says === undefined ? value : says(value);
}
