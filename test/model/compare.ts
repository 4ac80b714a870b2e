import { decimalOf, textOf } from '../schema/reference.ts';
import { ledgerFaults } from './compare-ledger.ts';
import { droppedOf, type Known, maskedOf, plain, setFaults, TABLES } from './compare-parts.ts';
import type { Row } from './read-world.ts';
import { cellsOf, maskOf, vanishing } from './reference-cells.ts';
import type { Rows, Shown, TableName, TableRule } from './reference-lake.ts';
import type { World } from './world.ts';

const OWN = { players: 'player_id', screens: 'player_id' } as const;

/** Where the lake says something else than the model, a sentence each. */
export async function differences(world: World, known: Known): Promise<readonly string[]> {
  const { runs, dropped } = known;
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
  const dates = [...new Set(runs.flatMap(({ date, isExpired }) => (isExpired ? [] : [date])))];
  for (const table of TABLES) {
    for (const place of droppedOf(table, tables[table])) dropped.add(place);
    for (const place of maskedOf(table, tables[table])) known.masked.add(place);
  }
  const raw = await world.keptRaw();
  const rejects: Row[] = [];
  for (const date of dates) rejects.push(...(await world.rows('rejects', date)));
  for (const table of TABLES) {
    const rule: TableRule = tables[table] ?? { columns: [], flattened: [] };
    const of = { rule, table, place: { world, known, raw, rejects } };
    found.push(
      ...rowFaults(`${table}, newest`, { ...of, rows: await world.rows(table), shown: last.after[table] }),
    );
    for (const date of dates) {
      if (known.lost.has(`${table} ${date}`)) continue;
      const after = runs.findLast((run) => run.date === date)?.after[table] ?? new Map();
      found.push(
        ...rowFaults(`${table} of ${date}`, { ...of, rows: await world.rows(table, date), shown: after }),
      );
    }
    for (const row of last.after[table].values())
      for (const path of vanishing(row, rule)) found.push(`${table}: nobody keeps ${path} of ${row.source}`);
    const others = Object.keys(head.tables[table]?.dates ?? {}).filter((date) => !dates.includes(date));
    if (others.length > 0) found.push(`${table} has ${others}`);
  }
  for (const date of dates) found.push(...(await ledgerFaults(world, { date, known, tables, raw })));
  return found;
}

interface RowsToCompare {
  readonly rows: readonly Row[];
  readonly shown: Rows;
  readonly rule: TableRule;
  readonly table: TableName;
  readonly place: {
    readonly world: World;
    readonly known: Known;
    readonly raw: ReadonlySet<string>;
    /** Those of all dates: a carried row's have the date of its run. */
    readonly rejects: readonly Row[];
  };
}

function rowFaults(what: string, { rows, shown, rule, table, place }: RowsToCompare): readonly string[] {
  const { world, known, raw, rejects } = place;
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
    const hiding = { name: table, key: world.maskKey };
    const cells = cellsOf(expected, rule, hiding);
    const isGone = !raw.has(`${expected.run} ${expected.source} ${table}`);
    for (const { name, type, provisional } of rule.columns) {
      if (provisional) continue;
      const is = plain(row[name] ?? null, type);
      const due = cells.get(name)?.cell ?? null;
      const mayBe = () =>
        isGone &&
        (is === null
          ? known.dropped.has(`${table} ${expected.source} ${name}`) ||
            rejects.some((row) => isOf(row, { table, name, expected, key }))
          : earlierTexts({ place, table, expected, name }).has(is));
      if (is !== due && !mayBe()) found.push(`${what}: ${key} has ${name} (${type}) ${is} and not ${due}`);
    }
  }
  return found;
}

interface Cellplace {
  readonly table: TableName;
  readonly name: string;
  readonly expected: Shown;
}

/** True for the reject of a cell. */
function isOf(row: Row, { table, name, expected, key }: Cellplace & { readonly key: string }): boolean {
  return (
    row.table_name === table &&
    row.column_name === name &&
    row.export_run_id === expected.run &&
    `${row.export_source} ${row.record_key}` === key
  );
}

/** What a cell may still say of a value whose raw is gone: its text by each reading that it ever had, or the mask of it. */
function earlierTexts({
  place: { world, known },
  table,
  expected,
  name,
}: Cellplace & Pick<RowsToCompare, 'place'>): ReadonlySet<string> {
  const texts = known.rules.flatMap((rules) => {
    const rule = rules[table];
    const column = rule?.columns.find((each) => each.name === name);
    if (rule === undefined || column === undefined) return [];
    const plain = { ...column, masked: [], provisional: false };
    const cell = cellsOf(expected, { ...rule, columns: [plain] }, { name: table, key: world.maskKey }).get(
      name,
    );
    if (cell === undefined || cell.cell === null) return [];
    const text = column.plainType === undefined ? textOf(cell.cell, column.type) : cell.cell;
    return [cell.cell, text, String(Date.parse(text)), decimalOf(text)];
  });
  const key = { name: table, key: world.maskKey };
  return new Set(texts.flatMap((text) => [text, maskOf(key, name, text)]));
}

const numberOf = (run: string) => run.split('.')[1] ?? '';

/** After a commit every file of a table is named by the head, or waits for its end; none waits for longer than a day. */
export async function unnamedFaults(world: World): Promise<readonly string[]> {
  const head = await world.head();
  if (head === undefined) return [];
  const waits = new Set(
    head.released.map(({ table, date, run }) => (table === null ? numberOf(run) : `${table} ${date} ${run}`)),
  );
  const found: string[] = [];
  for (const { table, date, run } of await world.tableFiles()) {
    if (head.tables[table]?.dates[date]?.run === run) continue;
    if (!waits.has(numberOf(run)) && !waits.has(`${table} ${date} ${run}`))
      found.push(`${table} of ${date} has files of ${run}, which nobody names`);
  }
  const late = head.released.filter(
    ({ table, at }) => table !== null && Date.parse(at) + 86_400_000 <= Date.parse(head.committedAt),
  );
  return [...found, ...late.map(({ run }) => `${run} waits for longer than a day`)];
}
