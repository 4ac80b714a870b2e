import { ExportError } from '../errors.ts';
import { readHead, type StoredHead } from '../lake/head.ts';
import type { Lake } from '../lake/lake.ts';
import type { CatalogChanges } from '../run/payloads.ts';
import { viewComment } from '../schema/comments.ts';
import { readSchema, type Schema } from '../schema/schema.ts';
import { sideBySide } from '../side-by-side.ts';
import { trimEnd } from '../text.ts';
import { viewsOf } from '../views/lake-views.ts';
import type { ViewFile } from '../views/view-file.ts';
import type { Catalog, CatalogPartition, CatalogTable } from './catalog.ts';
import { glueComment, type Wanted, wantedTables, withFingerprint } from './wanted-tables.ts';

/** The head must stop moving after so many syncs: each means that a run was committed during the one before. */
const MOST_ROUNDS = 10;
/** Glue answers four pages for a table's ten years, one after the other, so the tables are read in parallel. */
const TABLES_AT_ONCE = 16;
const NO_CHANGES: CatalogChanges = { tables: 0, tablesRemoved: 0, partitions: 0, partitionsRemoved: 0 };

/**
 * Makes the catalog, and the views over it, match the head, whatever it said before. A second sync changes
 * nothing. It reads the head again afterwards: of two parallel syncs, the last one ends at the newest head.
 * Throws CATALOG_SYNC_FAILED.
 */
export async function syncCatalog(
  lake: Lake,
  catalog: Catalog,
  views: readonly ViewFile[],
): Promise<CatalogChanges> {
  let changes = NO_CHANGES;
  let synced: string | undefined;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const stored = await readHead(lake);
    if (stored === undefined || stored.etag === synced) return changes;
    changes = add(changes, await syncOnce({ lake, catalog, stored, views }));
    synced = stored.etag;
  }
  throw new ExportError({
    code: 'CATALOG_SYNC_FAILED',
    message: `The head of ${lake.name} was committed again during each of ${MOST_ROUNDS} syncs with ${catalog.name}: find out who commits so often, then run \`catalog sync --deployed\`.`,
  });
}

interface Sync {
  readonly lake: Lake;
  readonly catalog: Catalog;
  readonly stored: StoredHead;
  readonly views: readonly ViewFile[];
}

async function syncOnce({ lake, catalog, stored, views }: Sync): Promise<CatalogChanges> {
  const { head } = stored;
  const schema = await readSchema(lake, head.schema);
  const tables = wantedTables({ head, schema, lake: trimEnd(lake.name, '/') });
  const shown = wantedViews(views, { schema, database: catalog.database });
  // A view with the name of a table is left out: people rely on the table.
  const named = new Set(tables.map(({ table }) => table.name));
  const wanted: readonly Wanted[] = [
    ...tables,
    ...shown.filter(({ name }) => !named.has(name)).map((table) => ({ table, partitions: [] })),
  ];
  const known = new Map((await catalog.tables()).map((table) => [table.name, table]));
  const changes = await sideBySide(wanted, TABLES_AT_ONCE, async ({ table, partitions }) => {
    const now = known.get(table.name);
    const isSame = now?.fingerprint === table.fingerprint && now.location === table.location;
    if (now !== undefined && now.isDaily !== table.isDaily) {
      // Nobody can change a table's partition keys, so the table is made again.
      await catalog.removeTables([table.name]);
      await catalog.putTable(table, false);
    } else if (!isSame) await catalog.putTable(table, now !== undefined);
    const ofTable = { ...NO_CHANGES, tables: isSame ? 0 : 1 };
    return table.isDaily ? add(ofTable, await syncPartitions(catalog, { table, partitions })) : ofTable;
  });
  const names = new Set(wanted.map(({ table }) => table.name));
  const gone = [...known.keys()].filter((name) => !names.has(name));
  await catalog.removeTables(gone);
  await catalog.filterRows?.(wanted.map(({ table }) => table));
  return changes.reduce(add, { ...NO_CHANGES, tablesRemoved: gone.length });
}

async function syncPartitions(catalog: Catalog, { table, partitions }: Wanted): Promise<CatalogChanges> {
  const known = new Map((await catalog.partitions(table.name)).map((each) => [each.date, each]));
  const isSame = (wanted: CatalogPartition): boolean => {
    const now = known.get(wanted.date);
    return now?.location === wanted.location && now.fingerprint === wanted.fingerprint;
  };
  const stale = partitions.filter((wanted) => !isSame(wanted));
  const dates = new Set(partitions.map(({ date }) => date));
  const gone = [...known.keys()].filter((date) => !dates.has(date));
  if (stale.length > 0) await catalog.putPartitions(table, stale);
  if (gone.length > 0) await catalog.removePartitions(table.name, gone);
  return { ...NO_CHANGES, partitions: stale.length, partitionsRemoved: gone.length };
}

function add(a: CatalogChanges, b: CatalogChanges): CatalogChanges {
  return {
    tables: a.tables + b.tables,
    tablesRemoved: a.tablesRemoved + b.tablesRemoved,
    partitions: a.partitions + b.partitions,
    partitionsRemoved: a.partitionsRemoved + b.partitionsRemoved,
  };
}

/**
 * The views of a schema, as Athena itself stores a view: the SQL and its columns in JSON, in base64, in a
 * comment. A view is stale if its columns differ from its SQL's, so a test takes the types from Trino.
 * @see
 * https://github.com/trinodb/trino/blob/476/plugin/trino-hive/src/main/java/io/trino/plugin/hive/ViewReaderUtil.java
 */
function wantedViews(
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
      columns: columns.map(({ type, ...column }) => ({
        ...column,
        type: HIVE.find(([pattern]) => pattern.test(type))?.[1] ?? type,
      })),
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
