import * as z from 'zod';
import { quoteIdentifier } from '../../sql.ts';
import { MANY_RECORDS } from '../cells/made-cells.ts';
import { type ColumnProfile, UNKNOWN_CLASS, VALUE_CLASSES, type ValueClass } from './value-classes.ts';

interface ProfileRequest {
  /** Runs a query and returns its rows as objects. */
  readonly rows: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** SQL of a relation (a table's name, or a query in parentheses): one source's records of a run. */
  readonly relation: string;
  /** Its columns of JSON text. */
  readonly columns: readonly string[];
  /** Roughly how many records it has; only the speed depends on it. */
  readonly records?: number;
  /** SQL of further numbers over the relation. */
  readonly counts?: readonly string[];
}

/**
 * What the values of each column were: one query with an aggregate for each column. A second query reads the
 * columns with values of a class that is not cheap to see. Needs CELL_MACROS.
 */
export async function profileColumns(request: ProfileRequest) {
  const profiles = async (columns: readonly string[], macro: ClassMacro, counts: readonly string[]) => {
    const [row = {}] =
      columns.length === 0 ? [] : await request.rows(profileSql({ ...request, columns, counts }, macro));
    return { row, found: columns.map((name, index) => ({ name, ...readProfile(row, index) })) };
  };
  const { counts = [] } = request;
  const quick = await profiles(request.columns, 'quick_class', counts);
  const unclear = quick.found.filter(({ hasUnknown }) => hasUnknown).map(({ name }) => name);
  const slow = await profiles(unclear, 'cell_class', []);
  return {
    columns: new Map([...quick.found, ...slow.found].map(({ name, profile }) => [name, profile])),
    counts: counts.map((_, index) => Number(quick.row[`n${index}`] ?? 0)),
  };
}

type ClassMacro = 'quick_class' | 'cell_class';

/** One row: `records`, and p0, p1, … with a JSON object from code of class to count, null without values. */
function profileSql(request: ProfileRequest, macro: ClassMacro): string {
  const { relation, columns, records = 0, counts = [] } = request;
  const names = columns.map(quoteIdentifier);
  const isEach = records >= MANY_RECORDS;
  const classes = isEach
    ? names.map((name) => `${macro}(${name})`)
    : names.map((_, index) => `classes[${index + 1}]`);
  const profiles = classes.map((each, index) => `to_json(histogram(${each}))::VARCHAR AS p${index}`);
  const numbers = counts.map((each, index) => `(${each})::DOUBLE AS n${index}`);
  const classed = `(SELECT *, list_transform([${names.join(', ')}], lambda v__: ${macro}(v__)) AS classes FROM ${relation})`;
  return `
    SELECT count(*)::DOUBLE AS records,
      ${[...profiles, ...numbers].join(',\n      ')}
    FROM ${isEach ? relation : classed}`;
}

const countByCode = z.record(z.string(), z.number());

function readProfile(row: Readonly<Record<string, unknown>>, index: number) {
  const cell = row[`p${index}`];
  const byCode = typeof cell === 'string' ? countByCode.parse(JSON.parse(cell)) : {};
  const counts = Object.entries(byCode)
    .filter(([code]) => Number(code) !== UNKNOWN_CLASS)
    .map(([code, count]) => [classOfCode(Number(code)), count]);
  const profile: ColumnProfile = { records: Number(row.records ?? 0), counts: Object.fromEntries(counts) };
  return { profile, hasUnknown: byCode[UNKNOWN_CLASS] !== undefined };
}

const NAMES = new Map<number, ValueClass>(
  Object.entries(VALUE_CLASSES).map(([name, code]) => [code, name as ValueClass]),
);

function classOfCode(code: number): ValueClass {
  const name = NAMES.get(code);
  if (name === undefined) throw new Error(`${code} is not the code of a value class`);
  return name;
}
