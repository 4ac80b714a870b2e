import { viewComment } from '../schema/comments.ts';
import type { Schema } from '../schema/schema.ts';
import { viewsOf } from '../views/lake-views.ts';
import type { ViewFile } from '../views/view-file.ts';
import type { CatalogTable } from './catalog.ts';
import { glueComment, withFingerprint } from './wanted-tables.ts';

/**
 * The views of a schema, as Athena itself stores a view: the SQL and its columns in JSON, in base64, in a
 * comment. A view is stale if its columns differ from its SQL's, so a test takes the types from Trino.
 * @see
 * https://github.com/trinodb/trino/blob/476/plugin/trino-hive/src/main/java/io/trino/plugin/hive/ViewReaderUtil.java
 */
export function wantedViews(
  files: readonly ViewFile[],
  { schema, database }: { readonly schema: Schema; readonly database: string },
): readonly CatalogTable[] {
  const fileOf = new Map(files.map((file) => [file.name, file]));
  return viewsOf(files, schema, database).flatMap(({ name, sql }) => {
    const file = fileOf.get(name);
    if (file === undefined) return [];
    const types = Object.entries(file.columns);
    if (types.length === 0) return [];
    const columns = types.map(([column, type]) => {
      return { name: column, type, comment: glueComment(file.sentences[column] ?? '') };
    });
    const description = viewComment(file);
    const stored = {
      originalSql: sql,
      catalog: 'awsdatacatalog',
      schema: database,
      columns,
      comment: description,
    };
    return withFingerprint({
      name,
      description,
      columns: columns.map((column) => ({ ...column, type: hiveType(column.type) })),
      location: '',
      isDaily: false,
      view: `/* Presto View: ${Buffer.from(JSON.stringify(stored)).toString('base64')} */`,
    });
  });
}

/** Trino's name of a type → Hive's; other types have the same name in both. */
const HIVE: readonly (readonly [RegExp, string])[] = [
  [/^varchar(\(\d+\))?$/, 'string'],
  [/^timestamp\(\d+\)( with time zone)?$/, 'timestamp'],
  [/^integer$/, 'int'],
  [/^real$/, 'float'],
];

function hiveType(type: string): string {
  return HIVE.find(([pattern]) => pattern.test(type))?.[1] ?? type;
}
