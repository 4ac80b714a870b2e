import type { Schema } from '../schema/schema.ts';
import { tableForm } from '../schema/tables.ts';
import { configTables, unsaidByConfig } from './config-tables.ts';
import { emptiedIn, givenColumn, type Unsaid } from './given-column.ts';
import { allRead, type ViewFile } from './view-file.ts';

/** A view in a lake's schema. */
export interface LakeView
  extends Pick<ViewFile, 'name' | 'question' | 'grain' | 'tells' | 'order' | 'lists' | 'reads'> {
  readonly sql: string;
  readonly unsaid: readonly Unsaid[];
}

/** What a view does not say if a column emptied that it uses and does not need. */
const USED = 'what one of its columns says';

/**
 * The views over a schema's tables. A column that the API lacks is null. A column of another type is read as
 * the view needs it: some installations write numbers as text, and flags as numbers. `database` is where the
 * tables are: `main` in DuckDB, the Glue database in Athena.
 */
export function viewsOf(files: readonly ViewFile[], schema: Schema, database: string): readonly LakeView[] {
  return files.map((file) => {
    const { name, question, grain, tells, order, lists, reads, needs } = file;
    // A table without columns misses no field: it was not requested, not answered, or is empty.
    const missed = needs.filter(({ table }) => (schema.tables[table]?.columns.length ?? 0) > 0);
    const unsaid = missed.flatMap((wanted): readonly Unsaid[] => {
      const { reason } = givenColumn(schema, wanted);
      const reasons = reason === undefined ? emptiedIn(schema, wanted) : [reason];
      const column = `${wanted.table}.${wanted.column}`;
      return reasons.map((each) => ({ column, says: wanted.says, reason: each }));
    });
    const lost = file.uses.flatMap((used): readonly Unsaid[] => {
      const column = `${used.table}.${used.column}`;
      return emptiedIn(schema, used).map((reason) => ({ column, says: USED, reason }));
    });
    const sql = shapedSql(file, schema, database);
    return {
      name,
      question,
      grain,
      tells,
      order,
      lists,
      reads: allRead(reads),
      sql,
      unsaid: [...unsaid, ...lost, ...unsaidByConfig(file.sql, schema)],
    };
  });
}

/** The view's SQL. CTEs replace the config's tables, and tables with other columns than the view needs. */
function shapedSql(file: ViewFile, schema: Schema, database: string): string {
  const wanted = Map.groupBy([...file.needs, ...file.uses], ({ table }) => table);
  const shapes = configTables(file.sql, { schema, database });
  for (const [table, columns] of wanted) {
    const given = columns.map((column) => givenColumn(schema, column));
    if (given.every(({ asIs }) => asIs)) continue;
    const fixed = tableForm(table).columns.map(({ name }) => name);
    for (const [name, more] of [[table, []] as const, [`${table}_daily`, ['export_date']] as const]) {
      if (!file.reads.has(name)) continue;
      const list = [...fixed, ...more, ...given.map(({ sql }) => sql)];
      shapes.push(
        `  -- grain: as ${name}\n  ${name} as (\n    select\n      ${list.join(',\n      ')}\n    from "${database}".${name}\n  ),\n`,
      );
    }
  }
  return file.sql.replace(/^with\n/m, (start) => `${start}${shapes.join('')}`);
}
