import { describe, expect, test } from 'vitest';
import { COLUMN_TYPES } from '#lib/column-types.ts';
import { PARTITION_COLUMN, TABLES, tableForm } from '#lib/schema/tables.ts';
import { RESOURCE_NAMES, RESOURCES } from '#lib/sources/resources.ts';

test('every table of the contract is there once', () => {
  const names = TABLES.map(({ name }) => name);
  const others = ['changes', 'outcomes', 'rejects', 'runs', 'schema_columns'];
  expect(names.toSorted()).toEqual([...RESOURCE_NAMES, ...others].toSorted());
});

describe.each(TABLES)('$name', ({ name, columns }) => {
  test('has columns of known types, each once, each described', () => {
    expect(new Set(columns.map((column) => column.name)).size).toBe(columns.length);
    for (const { type, description } of columns) {
      expect(COLUMN_TYPES).toContain(type);
      expect(description).not.toBe('');
    }
  });

  test('says source and run, and leaves the partition to the folder', () => {
    const names = columns.map((column) => column.name);
    expect(names.slice(0, 2)).toEqual(['export_source', 'export_run_id']);
    expect(names).not.toContain(PARTITION_COLUMN.name);
    expect(tableForm(name).columns).toBe(columns);
  });
});

test.each(RESOURCES)('a row of $name names its record and its parent', ({ name, parentColumn }) => {
  const names = tableForm(name).columns.map((column) => column.name);
  expect(names).toEqual(
    expect.arrayContaining(['exported_at', 'record_key', ...(parentColumn === null ? [] : [parentColumn])]),
  );
});
