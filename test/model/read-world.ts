import { type Head, readHead } from '#lib/lake/head.ts';
import { type LakeKey, lakeKey, parseKey } from '#lib/lake/keys.ts';
import type { Lake } from '#lib/lake/lake.ts';
import type { DuckDb } from '#lib/runtime/duckdb.ts';
import { readSchema, type Schema } from '#lib/schema/schema.ts';
import { readParquet } from '#lib/sql.ts';

export type Row = Readonly<Record<string, string | null>>;

export interface Files {
  /** DuckDB's types by column. */
  readonly columns: ReadonlyMap<string, string>;
  readonly rows: readonly Row[];
  /** Key of the schema whose types the columns were found to have. */
  checkedBy?: string;
}

export async function readFiles(db: DuckDb, paths: readonly string[]): Promise<Files> {
  const { columns, types, rows } = await db.ask(`select * from ${readParquet(paths)}`);
  const text = (cell: unknown, type = ''): string | null => {
    if (cell === null) return null;
    return String(type.startsWith('TIMESTAMP') ? Date.parse(String(cell)) : cell);
  };
  return {
    columns: new Map(columns.map((name, index) => [name, types[index] ?? ''])),
    rows: rows.map((row) =>
      Object.fromEntries(columns.map((name, index) => [name, text(row[index], types[index])])),
    ),
  };
}

/** What never changes of a lake is looked at once: a head by its etag, a schema, how a key is read. */
export function knownOf(lake: Lake) {
  const heads = new Map<string, Head | undefined>();
  const schemas = new Map<string, Schema>();
  const keys = new Map<string, LakeKey | undefined>();
  return {
    head: async () => {
      const etag = (await lake.read(lakeKey('head')))?.etag;
      if (etag === undefined || !heads.has(etag)) {
        const stored = await readHead(lake);
        if (stored === undefined) return undefined;
        heads.set(stored.etag, stored.head);
      }
      return heads.get(etag ?? '');
    },
    schema: async (key: string) => {
      const schema = schemas.get(key) ?? (await readSchema(lake, key));
      schemas.set(key, schema);
      return schema;
    },
    key: (key: string) => {
      if (!keys.has(key)) keys.set(key, parseKey(key));
      return keys.get(key);
    },
  };
}
