import { duckdbType } from '../column-types.ts';
import { tableForm } from '../schema/tables.ts';
import { quoteIdentifier, quoteLiteral } from '../sql.ts';

/** SQL of rows that are JavaScript objects, with the types of the table's columns; times are ISO texts. */
export function valuesSql(table: string, rows: readonly Readonly<Record<string, unknown>>[]): string {
  const { columns } = tableForm(table);
  const struct = [
    Object.fromEntries(
      columns.map(({ name, type }) => [name, type === 'timestamp' ? 'VARCHAR' : duckdbType(type)]),
    ),
  ];
  const cells = columns.map(({ name, type }) => {
    const cell = quoteIdentifier(name);
    return type === 'timestamp' ? `${cell}::timestamptz::timestamp as ${cell}` : cell;
  });
  return `
    select ${cells.join(', ')}
    from (
      select unnest(
        from_json(${quoteLiteral(JSON.stringify(rows, wellFormed))}, ${quoteLiteral(JSON.stringify(struct))}),
        recursive := true
      )
    )`;
}

/** Replaces a half surrogate pair, for DuckDB refuses JSON that has one. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
