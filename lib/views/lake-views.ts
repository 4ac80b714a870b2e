import type { Schema } from '../schema/schema.ts';
import { tableForm } from '../schema/tables.ts';
import { givenColumn } from './given-column.ts';
import type { ViewFile } from './view-file.ts';

/** A view that this API cannot answer, with every column that it misses and why. */
export interface LeftOut {
  readonly name: string;
  readonly missing: readonly { readonly column: string; readonly reason: string }[];
}

/** A view as a lake's schema has it. */
export interface LakeView extends Pick<ViewFile, 'name' | 'question' | 'grain'> {
  /** The SELECT. */
  readonly sql: string;
}

/**
 * The views that a schema can answer, and those that it cannot. A column that a view can do without is null where the
 * API does not give it. A column of another type is read as the view needs it: some installations write numbers as
 * text, and flags as numbers. `database` is where the tables are: `main` in DuckDB, the Glue database in Athena.
 */
export function viewsOf(
  files: readonly ViewFile[],
  schema: Schema,
  database: string,
): { readonly views: readonly LakeView[]; readonly leftOut: readonly LeftOut[] } {
  const views: LakeView[] = [];
  const leftOut: LeftOut[] = [];
  for (const file of files) {
    const missing = file.needs.flatMap((wanted) => {
      const { reason } = givenColumn(schema, wanted);
      return reason === undefined ? [] : [{ column: `${wanted.table}.${wanted.column}`, reason }];
    });
    if (missing.length > 0) leftOut.push({ name: file.name, missing });
    else {
      const { name, question, grain } = file;
      views.push({ name, question, grain, sql: shapedSql(file, schema, database) });
    }
  }
  return { views, leftOut };
}

/** The view's SQL. A table whose columns are not as the view needs them is replaced by a CTE. */
function shapedSql(file: ViewFile, schema: Schema, database: string): string {
  const wanted = Map.groupBy([...file.needs, ...file.uses], ({ table }) => table);
  const shapes: string[] = [];
  for (const [table, columns] of wanted) {
    const given = columns.map((column) => givenColumn(schema, column));
    if (given.every(({ asIs }) => asIs)) continue;
    const fixed = tableForm(table).columns.map(({ name }) => name);
    for (const [name, more] of [[table, []] as const, [`${table}_daily`, ['export_date']] as const]) {
      if (!new RegExp(`\\b${name}\\b`).test(file.sql)) continue;
      const list = [...fixed, ...more, ...given.map(({ sql }) => sql)];
      shapes.push(
        `  -- grain: as ${name}\n  ${name} as (\n    select\n      ${list.join(',\n      ')}\n    from "${database}".${name}\n  ),\n`,
      );
    }
  }
  return file.sql.replace(/^with\n/m, (start) => `${start}${shapes.join('')}`);
}
