import type { Lake } from '#lib/lake/lake.ts';
import type { CommittedTables } from '../../support/committed-tables.ts';
import { lostValues } from '../../values/lost-values.ts';
import { type Day, type Row, TABLES, type Table, type Value } from './fleet.ts';
import type { StockServer } from './stock-server.ts';

export interface Compared {
  readonly lake: Lake;
  readonly rows: CommittedTables['rows'];
  readonly server: StockServer;
  /** The date of the run, YYYY-MM-DD, and what was served. */
  readonly date: string;
  readonly day: Day;
}

/** The values of a date that are not in its tables as they were served, and the rows too many. */
export async function lostOf({ lake, rows, server, date, day }: Compared): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const resource of TABLES) {
    const served = day[resource].map((record) => ({
      parentId: 'player_id' in record ? String(saidOf(server, record, 'player_id')) : null,
      text: JSON.stringify(
        Object.fromEntries(
          fieldsOf(server, resource, record)
            .filter((field) => field !== 'player_id')
            .map((field) => [field, saidOf(server, record, field)]),
        ),
      ),
    }));
    const all = await lostValues({ lake, rows, resource, source: 'berlin', served, date });
    // Frameworks add members of their own.
    const found = all.filter((each) => !each.startsWith('cells that nobody said'));
    if (found.length > 0) lost.push(`${resource}: ${found.slice(0, 3).join('; ')}`);
  }
  return lost;
}

/** How `changes` of the second day differs from what came, went and changed. */
export async function wrongChanges({ rows, server, date, day }: Compared, before: Day) {
  const changes = await rows(
    `select table_name, concat_ws(' ', record_key, change, coalesce(column_name, '')) as change from changes where export_date = '${date}'`,
  );
  return TABLES.flatMap((table) => {
    const said = changes.flatMap(({ table_name, change }) => (table_name === table ? String(change) : []));
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
