import { createHmac } from 'node:crypto';
import type { CellForm } from '#lib/schema/cells/cast-sql.ts';
import { expectedOf } from '../schema/expected-cell.ts';
import { textOf } from '../schema/reference.ts';
import type { ApiRecord, ModelRun, Rows, Shown, TableName, TableRule } from './reference-lake.ts';

/** A cell, and why the value is not in it, if it is not. */
export interface Cell {
  readonly cell: string | null;
  readonly reason: 'type' | 'sentinel' | null;
  /** The value as rejects has it. */
  readonly raw: string;
}

/** How a table hides values: its name, and what a mask of a text of a column is. */
export interface Hiding {
  readonly name: TableName;
  readonly key: string;
}

/** A mask, as anybody can make it who has the key. */
export function maskOf({ name, key }: Hiding, column: string, text: string): string {
  const hash = (plain: string) => createHmac('sha256', key).update(plain).digest('hex');
  return `${hash('the id of a key of masks').slice(0, 8)}:${hash(`${name}.${column}\u001f${text}`)}`;
}

/** Every column's cell of a row, by column; numbers in a form of their own, moments in milliseconds. */
export function cellsOf(row: Shown, table: TableRule, hiding: Hiding): ReadonlyMap<string, Cell> {
  const leaves = leavesOf(row.record, table);
  const cells = new Map<string, Cell>();
  for (const { name, provisional, paths, readings, masked, ...types } of table.columns) {
    const type = types.plainType ?? types.type;
    const own = paths.filter(({ source, isDropped }) => source === row.source && !isDropped);
    const token = own.map(({ path }) => leaves.get(JSON.stringify(path))).find((each) => each !== undefined);
    if (token === undefined) continue;
    const plain = cellOf(token, { type, reading: readings[row.source] ?? { formats: [] } });
    const text = plain.cell === null ? null : textOf(plain.cell, type);
    const hide = (each: string) => (masked.includes(row.source) ? maskOf(hiding, name, each) : each);
    const cell =
      types.plainType === undefined
        ? plain
        : { ...plain, cell: text === null ? null : hide(text), raw: hide(plain.raw) };
    cells.set(name, provisional ? { ...cell, cell: null } : cell);
  }
  return cells;
}

/** Paths of values that no column of their source takes: what would vanish. */
export function vanishing(row: Shown, table: TableRule): readonly string[] {
  const known = new Set(
    table.columns.flatMap(({ paths }) =>
      paths.filter(({ source }) => source === row.source).map(({ path }) => JSON.stringify(path)),
    ),
  );
  return [...leavesOf(row.record, table)].flatMap(([path, token]) =>
    known.has(path) ? [] : [`${path} ${token}`],
  );
}

/** The values of a record by path; objects that are flattened are taken apart, null and `{}` are nothing. */
function leavesOf(record: ApiRecord, table: TableRule): ReadonlyMap<string, string> {
  const flattened = new Set(table.flattened.map((path) => JSON.stringify(path)));
  const leaves = new Map<string, string>();
  const walk = (path: readonly string[], token: string): void => {
    const name = JSON.stringify(path);
    if (token === 'null' || token === '{}') return;
    if (!token.startsWith('{') || !flattened.has(name)) {
      leaves.set(name, token);
      return;
    }
    for (const [key, value] of Object.entries(JSON.parse(token))) walk([...path, key], JSON.stringify(value));
  };
  for (const [key, token] of Object.entries(record)) walk([key], token);
  return leaves;
}

/** What a cell of the type says of a value. */
export function cellOf(token: string, { type, reading }: Pick<CellForm, 'type' | 'reading'>): Cell {
  const raw = token.startsWith('"') ? String(JSON.parse(token)) : token;
  if (type === 'varchar') return { cell: raw, reason: null, raw };
  const { value, reason } = expectedOf({ type, reading }, token);
  return { cell: value, reason: reason === 'type' || reason === 'sentinel' ? reason : null, raw };
}

/** A row of `changes`, as text: source, record_key, change, column, old, new. */
export function changesOf(
  run: ModelRun,
  table: TableRule,
  hiding: Hiding & { readonly isHidden: (source: string, column: string) => boolean },
): readonly string[] {
  const { name } = hiding;
  if (run.before === undefined) return [];
  const [before, after] = [run.before[name], run.after[name]];
  const found: string[] = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(key), after.get(key)];
    if (old === undefined || now === undefined) {
      found.push(`${key} ${old === undefined ? 'added' : 'removed'}`);
      continue;
    }
    if (run.unsure.has(`${name} ${key}`)) continue;
    const [oldCells, nowCells] = [cellsOf(old, table, hiding), cellsOf(now, table, hiding)];
    for (const { name: column, provisional, masked, plainType, type } of table.columns) {
      const [was, is] = [oldCells.get(column)?.cell ?? null, nowCells.get(column)?.cell ?? null];
      if (provisional || was === is) continue;
      const isClear = hiding.isHidden(now.source, column) && !masked.includes(now.source);
      const text = (cell: string) => (plainType === undefined ? textOf(cell, type) : cell);
      const [old, next] = [was, is].map((cell) =>
        cell !== null && isClear ? maskOf(hiding, column, text(cell)) : cell,
      );
      found.push(`${key} changed ${column} ${old} ${next}`);
    }
  }
  return found.sort();
}

/** The rows of `rejects` of what a date shows of its own runs: table, run, source, record_key, column, value, reason. */
export function rejectsOf(
  rows: Rows,
  {
    hiding,
    table,
    runs,
  }: { readonly hiding: Hiding; readonly table: TableRule; readonly runs: ReadonlySet<string> },
): readonly string[] {
  return [...rows]
    .filter(([, row]) => runs.has(row.run))
    .flatMap(([key, row]) =>
      [...cellsOf(row, table, hiding)].flatMap(([column, { reason, raw }]) =>
        reason === null ? [] : [`${hiding.name} ${row.run} ${key} ${column} ${raw} ${reason}`],
      ),
    );
}
