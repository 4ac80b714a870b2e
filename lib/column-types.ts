/** The types that a column of any table may have. */
export const COLUMN_TYPES = [
  'boolean',
  'bigint',
  'decimal(38,9)',
  'double',
  'date',
  'timestamp',
  'varchar',
] as const;

export type ColumnType = (typeof COLUMN_TYPES)[number];

/** Types of numbers, narrowest first: a column widens along them by itself. */
export const NUMERIC_TYPES = ['bigint', 'decimal(38,9)', 'double'] as const satisfies readonly ColumnType[];

export type NumericType = (typeof NUMERIC_TYPES)[number];

interface TypeNames {
  readonly duckdb: string;
  readonly glue: string;
  readonly trino: string;
}

/** Each engine's name for a type. Timestamps are INT64 milliseconds, the one form that all of them read as UTC. */
const NAMES: Readonly<Record<ColumnType, TypeNames>> = {
  boolean: { duckdb: 'BOOLEAN', glue: 'boolean', trino: 'boolean' },
  bigint: { duckdb: 'BIGINT', glue: 'bigint', trino: 'bigint' },
  'decimal(38,9)': {
    duckdb: 'DECIMAL(38,9)',
    glue: 'decimal(38,9)',
    trino: 'decimal(38,9)',
  },
  double: { duckdb: 'DOUBLE', glue: 'double', trino: 'double' },
  date: { duckdb: 'DATE', glue: 'date', trino: 'date' },
  timestamp: {
    duckdb: 'TIMESTAMP_MS',
    glue: 'timestamp',
    trino: 'timestamp(3)',
  },
  varchar: { duckdb: 'VARCHAR', glue: 'string', trino: 'varchar' },
};

/** The type as DuckDB casts to it. */
export const duckdbType = (type: ColumnType): string => NAMES[type].duckdb;

/** DuckDB's type for a column of a Parquet file. Views keep the types of what they read. */
export const readType = (type: ColumnType): string => (type === 'timestamp' ? 'TIMESTAMP' : duckdbType(type));

/** The type as a column of a Glue table has it. */
export const glueType = (type: ColumnType): string => NAMES[type].glue;

/** The type as Athena and Trino print it, in views too. */
export const trinoType = (type: ColumnType): string => NAMES[type].trino;

/** True for types that a column widens along. */
export function isNumeric(type: string): type is NumericType {
  return (NUMERIC_TYPES as readonly string[]).includes(type);
}
