import { createHmac } from 'node:crypto';
import { decimalOf, HOLDS, instantOf, isNumberToken, momentsOf, textOf } from '../schema/reference.ts';

/** Tables that the model knows: players, and their screens. */
export type TableName = 'players' | 'screens';
/** A record as the API says it: its id, and the JSON text of every other member. */
export type ApiRecord = Readonly<Record<string, string>>;
/** What a source's listings hold: players by id, and the screens of each. */
export interface Truth {
  readonly players: ReadonlyMap<string, ApiRecord>;
  readonly screens: ReadonlyMap<string, ReadonlyMap<string, ApiRecord>>;
}

/** How a source answered in a run; a parent's screens: their records, or how the call ended. */
export interface Answered {
  readonly players: 'failed' | ReadonlyMap<string, ApiRecord>;
  readonly screens: ReadonlyMap<string, 'failed' | 'denied' | 'gone' | ReadonlyMap<string, ApiRecord>>;
}

/** A row that a table shows: who said it, in which run, and what. */
export interface Shown {
  readonly source: string;
  readonly run: string;
  readonly parent: string;
  readonly record: ApiRecord;
}
/** The rows of a table by source and record_key. */
export type Rows = ReadonlyMap<string, Shown>;
export type Tables = Readonly<Record<TableName, Rows>>;

/** A run that committed: what it was asked, what it got, and what its tables showed before and after it. */
export interface ModelRun {
  readonly runId: string;
  readonly date: string;
  /** Of the config. */
  readonly sources: readonly string[];
  readonly selected: readonly string[];
  readonly answers: ReadonlyMap<string, Answered>;
  readonly before: Tables | undefined;
  readonly after: Tables;
  /** How values were read when it was committed, or made again: `changes` stay what they were then. */
  readonly rules: Readonly<Record<string, TableRule>>;
  /** The runs before it as they stood after its commit. */
  readonly history: readonly ModelRun[];
  /** How many days its commit left in the daily tables; null = all. */
  readonly days: number | null;
  /** Its date has left the daily tables. */
  readonly isExpired?: boolean;
  /** TABLE KEY of rows before it whose raw was gone: what they were is known as far as their cells told. */
  readonly unsure: ReadonlySet<string>;
}

/** The runs after a commit: what lies behind the newest days, as many as it leaves, is gone. */
export function withRun(before: readonly ModelRun[], run: Omit<ModelRun, 'history'>): readonly ModelRun[] {
  const shown = before.filter(({ isExpired }) => isExpired !== true);
  const days = [...new Set([...shown, run].map(({ date }) => date))].sort().reverse();
  const oldest = run.days === null ? '' : (days.slice(0, run.days).at(-1) ?? '');
  const history = before.map((each) => (each.date < oldest ? { ...each, isExpired: true } : each));
  return [...history, { ...run, history }];
}

/** The runs as if a source had never been. */
export function withoutSource(runs: readonly ModelRun[], gone: string): readonly ModelRun[] {
  const known = new Map<ModelRun, ModelRun>();
  const rows = (all: Rows): Rows => new Map([...all].filter(([, { source }]) => source !== gone));
  const tables = ({ players, screens }: Tables): Tables => ({
    players: rows(players),
    screens: rows(screens),
  });
  const of = (run: ModelRun): ModelRun => {
    const made = known.get(run) ?? {
      ...run,
      sources: run.sources.filter((name) => name !== gone),
      selected: run.selected.filter((name) => name !== gone),
      before: run.before && tables(run.before),
      after: tables(run.after),
      history: run.history.map(of),
    };
    known.set(run, made);
    return made;
  };
  return runs.map(of);
}

/** What the product decided of a column: the model checks that every day is read by it. */
export interface ColumnRule {
  readonly name: string;
  readonly type: string;
  readonly provisional: boolean;
  readonly paths: readonly {
    readonly source: string;
    readonly path: readonly string[];
    readonly isDropped: boolean;
  }[];
  readonly readings: Readonly<Record<string, ReadingRule>>;
  readonly masked: readonly string[];
  /** The type of the values, where those of some sources are masked. */
  readonly plainType?: string;
}
interface ReadingRule {
  readonly formats: readonly string[];
  readonly timeZone?: string | undefined;
  readonly readsDigitsInText?: boolean | undefined;
  readonly readsZeroAndOne?: boolean | undefined;
}
export interface TableRule {
  readonly columns: readonly ColumnRule[];
  readonly flattened: readonly (readonly string[])[];
}

const NONE: Tables = { players: new Map(), screens: new Map() };
const KEPT = new Set(['failed', 'denied']);

/** The tables after a run: what it got, and what stays of what it could not get. */
export function shownAfter(
  run: Pick<ModelRun, 'runId' | 'sources' | 'selected' | 'answers' | 'before'>,
): Tables {
  const before = run.before ?? NONE;
  const players = new Map<string, Shown>();
  const screens = new Map<string, Shown>();
  for (const source of run.sources) {
    const answer = run.selected.includes(source) ? run.answers.get(source) : undefined;
    const listed = answer === undefined || answer.players === 'failed' ? undefined : answer.players;
    if (listed === undefined) keep(before.players, players, (row) => row.source === source);
    else
      for (const [id, record] of listed)
        players.set(`${source} ${id}`, { source, run: run.runId, parent: id, record });
    const stays = (row: Shown) => {
      if (row.source !== source) return false;
      const own = answer?.screens.get(row.parent);
      return answer === undefined || (listed === undefined && own === undefined) || KEPT.has(String(own));
    };
    keep(before.screens, screens, stays);
    for (const [parent, own] of answer?.screens ?? []) {
      if (typeof own === 'string') continue;
      for (const [id, record] of own)
        screens.set(`${source} ${parent}/${id}`, { source, run: run.runId, parent, record });
    }
  }
  return { players, screens };
}

function keep(from: Rows, to: Map<string, Shown>, isKept: (row: Shown) => boolean): void {
  for (const [key, row] of from) if (isKept(row)) to.set(key, row);
}

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

const HELD = (cell: string, raw: string): Cell => ({ cell, reason: null, raw });

/** What a cell of the type says of a value. */
export function cellOf(
  token: string,
  { type, reading }: { readonly type: string; readonly reading: ReadingRule },
): Cell {
  const isString = token.startsWith('"');
  const text = isString ? String(JSON.parse(token)) : token;
  if (type === 'varchar') return HELD(text, text);
  const not = (reason: 'type' | 'sentinel'): Cell => ({ cell: null, reason, raw: text });
  if (token === '""') return not('sentinel');
  if (type === 'boolean') {
    if (reading.readsZeroAndOne && ['0', '1'].includes(text))
      return HELD(text === '1' ? 'true' : 'false', text);
    return /^(true|false)$/i.test(text) ? HELD(text.toLowerCase(), text) : not('type');
  }
  if (type === 'bigint' || type === 'decimal(38,9)' || type === 'double') {
    const isNumber = isNumberToken(text) && (!isString || reading.readsDigitsInText === true);
    return isNumber && HOLDS[type](text) ? HELD(decimalOf(text), text) : not('type');
  }
  if (!isString) return not('type');
  const moments = momentsOf(text);
  if (moments.includes('sentinel')) return not('sentinel');
  for (const moment of moments) {
    if (moment === 'sentinel' || !reading.formats.includes(moment.format)) continue;
    const isDay = moment.format === 'YYYY-MM-DD';
    if (isDay !== (type === 'date')) continue;
    const ms = moment.isLocal ? instantOf(moment.ms, reading.timeZone ?? 'UTC') : moment.ms;
    if (ms !== undefined) return HELD(String(ms), text);
  }
  return not('type');
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
