import type { PartitionInput, StorageDescriptor, TableInput } from '@aws-sdk/client-glue';
import type { CatalogColumn, CatalogPartition, CatalogTable } from '../catalog/catalog.ts';
import { PARTITION_COLUMN } from '../schema/tables.ts';

/** A parameter of our tables: it distinguishes them from others' tables, and holds the fingerprint. */
export const PRINT = 'signage_export_print';

/** A table or view of the lake, as Glue takes it. */
export function tableInput(table: CatalogTable): TableInput {
  const common = { Name: table.name, Owner: 'signage-export' };
  if (table.view !== undefined) {
    // No description: engines take it for the comment that marks a view.
    return {
      ...common,
      TableType: 'VIRTUAL_VIEW',
      Parameters: { presto_view: 'true', comment: 'Presto View', [PRINT]: table.fingerprint },
      ViewOriginalText: table.view,
      ViewExpandedText: '/* Presto View */',
      PartitionKeys: [],
      StorageDescriptor: { Columns: glueColumns(table.columns), Location: '', SerdeInfo: {} },
    };
  }
  const { name, description } = PARTITION_COLUMN;
  return {
    ...common,
    Description: table.description,
    TableType: 'EXTERNAL_TABLE',
    Parameters: { EXTERNAL: 'TRUE', classification: 'parquet', [PRINT]: table.fingerprint },
    PartitionKeys: table.isDaily ? [{ Name: name, Type: 'string', Comment: description }] : [],
    StorageDescriptor: parquet(table.columns, table.location),
  };
}

/** A day of a table, as Glue takes it. */
export function partitionInput(
  table: CatalogTable,
  { date, location, fingerprint }: CatalogPartition,
): PartitionInput {
  return {
    Values: [date],
    Parameters: { classification: 'parquet', [PRINT]: fingerprint },
    StorageDescriptor: parquet(table.columns, location),
  };
}

function parquet(columns: readonly CatalogColumn[], Location: string): StorageDescriptor {
  return {
    Columns: glueColumns(columns),
    Location,
    InputFormat: 'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat',
    OutputFormat: 'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat',
    SerdeInfo: {
      SerializationLibrary: 'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe',
      Parameters: { 'serialization.format': '1' },
    },
  };
}

function glueColumns(columns: readonly CatalogColumn[]) {
  return columns.map(({ name, type, comment }) => ({ Name: name, Type: type, Comment: comment }));
}
