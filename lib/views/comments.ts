import { commentedColumns, tableComment, viewComment } from '../schema/comments.ts';
import type { Schema } from '../schema/schema.ts';
import { PARTITION_COLUMN, TABLES } from '../schema/tables.ts';
import { quoteIdentifier, quoteLiteral } from '../sql.ts';
import type { ViewFile } from './view-file.ts';

interface Commented {
  /** A table of the lake is a view over its files. @default view */
  readonly kind?: string;
  readonly name: string;
  readonly comment: string;
  readonly columns: readonly { readonly name: string; readonly comment: string }[];
}

/** The view that says which commit a database is of. */
const LAKE_COMMIT: Commented = {
  name: 'lake_commit',
  comment: 'Of which commit are these tables and views? A row: the commit',
  columns: [
    { name: 'run_id', comment: 'Run that was committed: its scheduled time in UTC' },
    { name: 'attempt', comment: 'From 1; a repair or rebuild of the run has the next one' },
    { name: 'committed_at', comment: 'When it was committed, UTC' },
    { name: 'status', comment: 'complete, partial or failed' },
  ],
};

/**
 * The statements that put a sentence next to each table and view of a lake that is there, and next to each column. With
 * `isStored` the views of queries/ are tables.
 */
export function commentStatements(
  files: readonly ViewFile[],
  {
    schema,
    isThere,
    isStored = false,
  }: {
    readonly schema: Schema;
    readonly isThere: (name: string) => boolean;
    readonly isStored?: boolean;
  },
): readonly string[] {
  const views = files.map((file) => ({
    kind: isStored ? 'table' : 'view',
    name: file.name,
    comment: viewComment(file),
    columns: Object.entries(file.sentences).map(([name, comment]) => ({ name, comment })),
  }));
  return [...tablesOf(schema), ...views, LAKE_COMMIT]
    .filter(({ name }) => isThere(name))
    .flatMap(statementsOf);
}

function tablesOf(schema: Schema): readonly Commented[] {
  const day = { name: PARTITION_COLUMN.name, comment: PARTITION_COLUMN.description };
  return TABLES.flatMap((form): readonly Commented[] => {
    const columns = commentedColumns(form, schema);
    const daily = { comment: tableComment(form, 'daily'), columns: [...columns, day] };
    if (form.onlyDays) return [{ name: form.name, ...daily }];
    const newest = { name: form.name, comment: tableComment(form, 'newest'), columns };
    return [newest, { name: `${form.name}_daily`, ...daily }];
  });
}

function statementsOf({ kind = 'view', name, comment, columns }: Commented): readonly string[] {
  const view = quoteIdentifier(name);
  return [
    `comment on ${kind} ${view} is ${quoteLiteral(comment)}`,
    ...columns.map(
      (column) =>
        `comment on column ${view}.${quoteIdentifier(column.name)} is ${quoteLiteral(column.comment)}`,
    ),
  ];
}
