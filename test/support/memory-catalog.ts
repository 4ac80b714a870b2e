import type { Catalog, CatalogPartition, CatalogTable } from '#lib/catalog/catalog.ts';

export interface MemoryCatalog extends Catalog {
  readonly content: Map<string, { table: CatalogTable; partitions: Map<string, CatalogPartition> }>;
  /** Called before every change, for a test that interferes. */
  onChange: (what: string) => Promise<void>;
}

/** A catalog in memory. */
export function memoryCatalog(): MemoryCatalog {
  const content: MemoryCatalog['content'] = new Map();
  const partitionsOf = (name: string) => content.get(name)?.partitions ?? new Map<string, CatalogPartition>();
  const put = async (table: CatalogTable, partitions: readonly CatalogPartition[]) => {
    await catalog.onChange(`${table.name} partitions`);
    for (const each of partitions) partitionsOf(table.name).set(each.date, each);
  };
  const catalog: MemoryCatalog = {
    name: 'a catalog in memory',
    database: 'memory',
    content,
    onChange: async () => {},
    tables: async () => [...content.values()].map(({ table }) => table),
    putTable: async (table) => {
      await catalog.onChange(table.name);
      content.set(table.name, { table, partitions: partitionsOf(table.name) });
    },
    removeTables: async (names) => {
      for (const name of names) content.delete(name);
    },
    partitions: async (name) => [...partitionsOf(name).values()],
    putPartitions: put,
    removePartitions: async (name, dates) => {
      for (const date of dates) partitionsOf(name).delete(date);
    },
  };
  return catalog;
}
