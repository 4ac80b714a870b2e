import { decimalOf, textOf } from '../schema/reference.ts';
import {
  cellsOf,
  changesOf,
  type ModelRun,
  maskOf,
  type Rows,
  rejectsOf,
  type Shown,
  type TableName,
  type TableRule,
  vanishing,
} from './reference-lake.ts';
import type { Row, World } from './world.ts';

const TABLES: readonly TableName[] = ['players', 'screens'];
const OWN = { players: 'player_id', screens: 'player_id' } as const;

/** What a comparison needs besides the lake. */
export interface Known {
  /** The committed ones, oldest first. */
  readonly runs: readonly ModelRun[];
  /** TABLE SOURCE COLUMN that was dropped once: what its changes said is gone for ever. */
  readonly dropped: Set<string>;
  /** The same of columns that were masked once. */
  readonly masked: Set<string>;
  /** How tables were read at each commit: where raw is gone, cells tell no more than they told then. */
  readonly rules: readonly Readonly<Record<string, TableRule>>[];
  /** TABLE DATE of files that were lost. */
  readonly lost: ReadonlySet<string>;
  /** The masks were made again by another key: those of changes are masks of masks. */
  readonly hasNewKey: boolean;
}

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
    found.push(
      ...rowFaults(`${table}, newest`, {
        rows: await world.rows(table),
        shown: last.after[table],
        rule,
        table,
        place: { world, known, raw, rejects },
      }),
    );
    for (const date of dates) {
      if (known.lost.has(`${table} ${date}`)) continue;
      const after = runs.findLast((run) => run.date === date)?.after[table] ?? new Map();
      found.push(
        ...rowFaults(`${table} of ${date}`, {
          rows: await world.rows(table, date),
          shown: after,
          rule,
          table,
          place: { world, known, raw, rejects },
        }),
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

/** After a commit every file of a table is named by the head, or waits for its end; none waits for longer than a day. */
export async function unnamedFaults(world: World): Promise<readonly string[]> {
  const head = await world.head();
  if (head === undefined) return [];
  const waits = new Set(
    head.released.map(({ table, date, run }) => (table === null ? run : `${table} ${date} ${run}`)),
  );
  const found: string[] = [];
  for (const { table, date, run } of await world.tableFiles()) {
    if (head.tables[table]?.dates[date]?.run === run) continue;
    if (!waits.has(run) && !waits.has(`${table} ${date} ${run}`))
      found.push(`${table} of ${date} has files of ${run}, which nobody names`);
  }
  const late = head.released.filter(
    ({ table, at }) => table !== null && Date.parse(at) + 86_400_000 <= Date.parse(head.committedAt),
  );
  return [...found, ...late.map(({ run }) => `${run} waits for longer than a day`)];
}

async function ledgerFaults(
  world: World,
  {
    date,
    known,
    tables,
    raw,
  }: {
    readonly date: string;
    readonly known: Known;
    readonly tables: Readonly<Record<string, TableRule>>;
    readonly raw: ReadonlySet<string>;
  },
): Promise<readonly string[]> {
  const { runs, dropped } = known;
  const hidingOf = (name: TableName) => ({ name, key: world.maskKey });
  const own = runs.filter((run) => run.date === date);
  const isOfDate = new Set(own.map(({ runId }) => runId));
  const due = { changes: [] as string[], rejects: [] as string[], runs: [] as string[] };
  const shown = new Set<string>();
  for (const run of own) {
    due.runs.push(...run.selected.map((source) => `${source} ${run.runId}`));
    for (const table of TABLES)
      due.changes.push(
        ...changesOf(run, run.rules[table] ?? NOTHING, {
          ...hidingOf(table),
          isHidden: (source, column) => known.masked.has(`${table} ${source} ${column}`),
        }).map((each) => `${table} ${run.runId} ${each}`),
      );
  }
  for (const name of TABLES) {
    // A file that was lost is not written again, nor are the rejects of its rows.
    if (known.lost.has(`${name} ${date}`)) continue;
    const all: Rows = own.at(-1)?.after[name] ?? new Map();
    const rows: Rows = new Map([...all].filter(([, { run, source }]) => raw.has(`${run} ${source} ${name}`)));
    due.rejects.push(
      ...rejectsOf(rows, { hiding: hidingOf(name), table: tables[name] ?? NOTHING, runs: isOfDate }),
    );
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
    const isHidden = known.masked.has(`${row.table_name} ${row.export_source} ${row.column_name}`);
    const name: TableName = row.table_name === 'players' ? 'players' : 'screens';
    const [old, now] = [row.old_value ?? null, row.new_value ?? null].map((value) =>
      value !== null && isHidden
        ? isMask(value)
          ? value
          : maskOf(hidingOf(name), String(row.column_name), value)
        : text(value, typeOf(row)),
    );
    return `${start} ${row.column_name} ${old} ${now}`;
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
  const unsure = new Map(own.map((run) => [run.runId, run.unsure]));
  /** Without what is not known any more: what was dropped once, what a key hid that is gone, rows without their raw. */
  const knownOf = (line: string): readonly string[] => {
    const [table = '', run = '', source = '', key = '', change = '', column = ''] = line.split(' ');
    if (change !== 'changed') return [line];
    const place = `${table} ${source} ${column}`;
    if (dropped.has(place) || unsure.get(run)?.has(`${table} ${source} ${key}`) === true) return [];
    return known.hasNewKey && known.masked.has(place)
      ? [`${table} ${run} ${source} ${key} changed ${column}`]
      : [line];
  };
  const isOfPlaces = (places: readonly string[]) => {
    const all = new Set(places);
    return (row: Row) => all.has(`${row.table_name} ${row.export_source} ${row.column_name}`);
  };
  const isHidden = isOfPlaces(TABLES.flatMap((table) => droppedOf(table, tables[table])));
  const isMasked = isOfPlaces(TABLES.flatMap((table) => maskedOf(table, tables[table])));
  const keyId = maskOf({ name: 'players', key: world.maskKey }, '', '').slice(0, 9);
  const isClear = (text: string | null | undefined) =>
    text !== null && text !== undefined && !(text.startsWith(keyId) && text.length === 73);
  const all = [...(await world.rows('changes', date)), ...(await world.rows('rejects', date))];
  const shows = (row: Row) => [row.old_value, row.new_value, row.raw_value].some(isClear);
  return [
    ...all
      .filter(isHidden)
      .map((row) => `${date} shows the dropped ${row.column_name} of ${row.export_source}`),
    ...all
      .filter((row) => isMasked(row) && shows(row))
      .map((row) => `${date} shows the masked ${row.column_name} of ${row.export_source} in clear`),
    ...setFaults(`changes of ${date}`, changes.flatMap(knownOf), due.changes.flatMap(knownOf)),
    ...setFaults(`rejects of ${date}`, rejects, due.rejects),
    ...setFaults(`runs of ${date}`, runRows, due.runs),
  ];
}

const isMask = (text: string) => /^[0-9a-f]{8}:[0-9a-f]{64}$/.test(text);

const NOTHING: TableRule = { columns: [], flattened: [] };

function droppedOf(table: TableName, rule: TableRule = NOTHING): readonly string[] {
  return rule.columns.flatMap(({ name, paths }) =>
    paths.filter(({ isDropped }) => isDropped).map(({ source }) => `${table} ${source} ${name}`),
  );
}

function maskedOf(table: TableName, rule: TableRule = NOTHING): readonly string[] {
  return rule.columns.flatMap(({ name, masked }) => masked.map((source) => `${table} ${source} ${name}`));
}

export function setFaults(what: string, are: readonly string[], due: readonly string[]): readonly string[] {
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
