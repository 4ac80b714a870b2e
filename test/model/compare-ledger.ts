import { droppedOf, type Known, maskedOf, NOTHING, plain, setFaults, TABLES } from './compare-parts.ts';
import type { Row } from './read-world.ts';
import { changesOf, maskOf, rejectsOf } from './reference-cells.ts';
import type { Rows, TableName, TableRule } from './reference-lake.ts';
import type { World } from './world.ts';

export async function ledgerFaults(
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
