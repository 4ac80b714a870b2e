import { decimalOf } from '../schema/reference.ts';
import {
  cellsOf,
  changesOf,
  type ModelRun,
  type Rows,
  rejectsOf,
  type TableName,
  type TableRule,
  vanishing,
} from './reference-lake.ts';
import type { Row, World } from './world.ts';

const TABLES: readonly TableName[] = ['players', 'screens'];
const OWN = { players: 'player_id', screens: 'player_id' } as const;

/** Where the lake says something else than the model, a sentence each; `runs` are the committed ones, oldest first. */
export async function differences(
  world: World,
  { runs, dropped }: { readonly runs: readonly ModelRun[]; readonly dropped: Set<string> },
): Promise<readonly string[]> {
  const head = await world.head();
  const last = runs.at(-1);
  if (head === undefined || last === undefined) {
    return head === undefined && last === undefined
      ? []
      : ['the head is there and no run, or the other way round'];
  }
  const found: string[] = [];
  if (head.runId !== last.runId) found.push(`the head is of ${head.runId} and not of ${last.runId}`);
  const { tables } = await world.schema();
  const dates = [...new Set(runs.map(({ date }) => date))];
  for (const table of TABLES) for (const place of droppedOf(table, tables[table])) dropped.add(place);
  for (const table of TABLES) {
    const rule: TableRule = tables[table] ?? { columns: [], flattened: [] };
    found.push(
      ...rowFaults(`${table}, newest`, {
        rows: await world.rows(table),
        shown: last.after[table],
        rule,
        table,
      }),
    );
    for (const date of dates) {
      const after = runs.findLast((run) => run.date === date)?.after[table] ?? new Map();
      found.push(
        ...rowFaults(`${table} of ${date}`, {
          rows: await world.rows(table, date),
          shown: after,
          rule,
          table,
        }),
      );
    }
    for (const row of last.after[table].values())
      for (const path of vanishing(row, rule)) found.push(`${table}: nobody keeps ${path} of ${row.source}`);
    const others = Object.keys(head.tables[table]?.dates ?? {}).filter((date) => !dates.includes(date));
    if (others.length > 0) found.push(`${table} has ${others}`);
  }
  for (const date of dates) found.push(...(await ledgerFaults(world, { date, runs, tables, dropped })));
  return found;
}

interface RowsToCompare {
  readonly rows: readonly Row[];
  readonly shown: Rows;
  readonly rule: TableRule;
  readonly table: TableName;
}

function rowFaults(what: string, { rows, shown, rule, table }: RowsToCompare): readonly string[] {
  const found: string[] = [];
  const byKey = new Map(rows.map((row) => [`${row.export_source} ${row.record_key}`, row]));
  if (byKey.size !== rows.length) found.push(`${what}: ${rows.length} rows have ${byKey.size} keys`);
  found.push(...setFaults(what, [...byKey.keys()], [...shown.keys()]));
  for (const [key, expected] of shown) {
    const row = byKey.get(key);
    if (row === undefined) continue;
    if (row.export_run_id !== expected.run)
      found.push(`${what}: ${key} is of ${row.export_run_id} and not of ${expected.run}`);
    if (row[OWN[table]] !== expected.parent) found.push(`${what}: ${key} is below ${row[OWN[table]]}`);
    const cells = cellsOf(expected, rule);
    for (const { name, type, provisional } of rule.columns) {
      if (provisional) continue;
      const is = plain(row[name] ?? null, type);
      const due = cells.get(name)?.cell ?? null;
      if (is !== due) found.push(`${what}: ${key} has ${name} (${type}) ${is} and not ${due}`);
    }
  }
  return found;
}

async function ledgerFaults(
  world: World,
  {
    date,
    runs,
    tables,
    dropped,
  }: {
    readonly date: string;
    readonly runs: readonly ModelRun[];
    readonly tables: Readonly<Record<string, TableRule>>;
    readonly dropped: ReadonlySet<string>;
  },
): Promise<readonly string[]> {
  const own = runs.filter((run) => run.date === date);
  const isOfDate = new Set(own.map(({ runId }) => runId));
  const due = { changes: [] as string[], rejects: [] as string[], runs: [] as string[] };
  const shown = new Set<string>();
  for (const run of own) {
    due.runs.push(...run.selected.map((source) => `${source} ${run.runId}`));
    for (const table of TABLES)
      due.changes.push(
        ...changesOf(run, table, run.rules[table] ?? NOTHING).map((each) => `${table} ${run.runId} ${each}`),
      );
  }
  for (const name of TABLES) {
    const rows = own.at(-1)?.after[name] ?? new Map();
    due.rejects.push(...rejectsOf(rows, { name, table: tables[name] ?? NOTHING, runs: isOfDate }));
    for (const [key, row] of rows) shown.add(`${name} ${row.run} ${key}`);
  }
  const typeOf = (row: Row) =>
    own
      .find(({ runId }) => runId === row.export_run_id)
      ?.rules[String(row.table_name)]?.columns.find(({ name }) => name === row.column_name)?.type ??
    'varchar';
  const text = (value: string | null | undefined, type: string) =>
    value !== null && value !== undefined && (type === 'timestamp' || type === 'date')
      ? String(Date.parse(value))
      : plain(value ?? null, type);
  const changes = (await world.rows('changes', date)).map((row) => {
    const start = `${row.table_name} ${row.export_run_id} ${row.export_source} ${row.record_key} ${row.change}`;
    if (row.change !== 'changed') return start;
    return `${start} ${row.column_name} ${text(row.old_value, typeOf(row))} ${text(row.new_value, typeOf(row))}`;
  });
  const rejects = (await world.rows('rejects', date))
    .filter(({ reason }) => reason !== 'precision')
    // What a run said of rows that its date no longer shows stays as it was.
    .filter((row) =>
      shown.has(`${row.table_name} ${row.export_run_id} ${row.export_source} ${row.record_key}`),
    )
    .map(
      (row) =>
        `${row.table_name} ${row.export_run_id} ${row.export_source} ${row.record_key} ${row.column_name} ${row.raw_value} ${row.reason}`,
    );
  const runRows = (await world.rows('runs', date)).map((row) => `${row.export_source} ${row.export_run_id}`);
  const isForgotten = (line: string) => {
    const [table, , source, , , column] = line.split(' ');
    return dropped.has(`${table} ${source} ${column}`);
  };
  const hidden = new Set(TABLES.flatMap((table) => droppedOf(table, tables[table])));
  const isShown = (row: Row) => hidden.has(`${row.table_name} ${row.export_source} ${row.column_name}`);
  const leaks = [...(await world.rows('changes', date)), ...(await world.rows('rejects', date))].filter(
    isShown,
  );
  const changesDue = due.changes.filter((line) => !isForgotten(line));
  return [
    ...leaks.map((row) => `${date} shows the dropped ${row.column_name} of ${row.export_source}`),
    ...setFaults(
      `changes of ${date}`,
      changes.filter((line) => !isForgotten(line)),
      changesDue,
    ),
    ...setFaults(`rejects of ${date}`, rejects, due.rejects),
    ...setFaults(`runs of ${date}`, runRows, due.runs),
  ];
}

const NOTHING: TableRule = { columns: [], flattened: [] };

function droppedOf(table: TableName, rule: TableRule = NOTHING): readonly string[] {
  return rule.columns.flatMap(({ name, paths }) =>
    paths.filter(({ isDropped }) => isDropped).map(({ source }) => `${table} ${source} ${name}`),
  );
}

function setFaults(what: string, are: readonly string[], due: readonly string[]): readonly string[] {
  const [isThere, isDue] = [new Set(are), new Set(due)];
  return [
    ...(isThere.size === are.length ? [] : [`${what}: some stand there twice`]),
    ...due.filter((each) => !isThere.has(each)).map((each) => `${what} lacks ${each}`),
    ...are.filter((each) => !isDue.has(each)).map((each) => `${what} has ${each}`),
  ];
}

/** A cell's text in the form of the model. */
function plain(text: string | null, type: string): string | null {
  if (text === null) return null;
  if (type === 'bigint' || type === 'decimal(38,9)' || type === 'double') return decimalOf(text);
  return type === 'date' ? String(Date.parse(text)) : text;
}
