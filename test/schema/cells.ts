import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { mend } from '#lib/api/body/mend.ts';
import { type DuckDb, openDuckDb } from '#lib/runtime/duckdb.ts';
import { type CellForm, rejectSql, valueSql } from '#lib/schema/cells/cast-sql.ts';
import { CELL_MACROS } from '#lib/schema/cells/cell-macros.ts';
import { madeCells } from '#lib/schema/cells/made-cells.ts';
import { profileColumns } from '#lib/schema/columns/profile-sql.ts';
import { type ColumnProfile, NO_VALUES } from '#lib/schema/columns/value-classes.ts';
import { quoteLiteral } from '#lib/sql.ts';

/** The DuckDB that plan and publish use. */
export async function openCells(): Promise<DuckDb> {
  const folder = mkdtempSync(join(tmpdir(), 'cells-'));
  const places = { folders: [folder], spillTo: folder };
  return openDuckDb({ ...places, memoryLimitMiB: 1024, threads: 2, macros: CELL_MACROS });
}

/** Puts JSON values, written as they came, into the table v (position, c), by the way that answers take. */
export async function putValues(db: DuckDb, tokens: readonly string[]): Promise<void> {
  const body = `[${tokens.map((token) => `{"c":${token}}`).join(',')}]`;
  const text = mend(body) ?? body;
  await db.run(`
    create or replace table v as
    select generate_subscripts(list, 1) as position, unnest(list).c::varchar as c
    from (select from_json(${quoteLiteral(text)}, '[{"c":"JSON"}]') as list)`);
}

/** The profile of the values in v, which the two ways to profile have alike. */
export async function profileOf(db: DuckDb): Promise<ColumnProfile> {
  const [profile, ofMany] = [await partOf(db, 'true', FEW), await partOf(db, 'true', MANY)];
  if (!isDeepStrictEqual(profile, ofMany)) throw new Error('the two ways to profile differ');
  return profile;
}

/** Of so many records each way to profile is the faster one. */
const FEW = 0;
const MANY = 1e6;

/** The profiles of the values in v, cut into so many parts, by one way and the other in turn. */
export async function profilesOfParts(db: DuckDb, parts: number): Promise<readonly ColumnProfile[]> {
  const each = Array.from({ length: parts }, (_, part) =>
    partOf(db, `position % ${parts} = ${part}`, part % 2 === 0 ? FEW : MANY),
  );
  return await Promise.all(each);
}

async function partOf(db: DuckDb, where: string, records: number): Promise<ColumnProfile> {
  const relation = `(select c from v where ${where})`;
  const { columns } = await profileColumns({ rows: db.rows, relation, columns: ['c'], records });
  return columns.get('c') ?? NO_VALUES;
}

export interface Cell {
  /** The typed value as DuckDB prints it; null where it is null. */
  readonly text: string | null;
  readonly reason: string | null;
}

/** The cells and reasons of the values in v, in order. They are made of many records, and of few. */
export async function cellsOf(db: DuckDb, form: CellForm): Promise<readonly Cell[]> {
  const cell = { value: 'c', sqlOf: (value: string) => valueSql(form, value) };
  const reason = {
    value: 'c',
    sqlOf: (value: string) => rejectSql(form, { value, cell: valueSql(form, value) }),
  };
  const made = async (areFew: boolean) => {
    const { from, cells } = madeCells('from v', [cell, reason, cell, reason], { areFew });
    const rows = await db.rows(
      `select (${cells[0]})::varchar as text, ${cells[1]} as reason from ${from} order by position`,
    );
    return rows.map(({ text, reason }) => ({ text: text as string | null, reason: reason as string | null }));
  };
  const ofMany = await made(false);
  if (!isDeepStrictEqual(ofMany, await made(true))) throw new Error('the two ways to make cells differ');
  return ofMany;
}
