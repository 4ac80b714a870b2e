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

export interface TypeNames {
  readonly duckdb: string;
  /** Physical type, then what it is annotated as. */
  readonly parquet: string;
  readonly glue: string;
  readonly trino: string;
}

/** What each engine calls a type. Timestamps are INT64 milliseconds, the one form that all of them read as UTC. */
const NAMES: Readonly<Record<ColumnType, TypeNames>> = {
  boolean: { duckdb: 'BOOLEAN', parquet: 'BOOLEAN', glue: 'boolean', trino: 'boolean' },
  bigint: { duckdb: 'BIGINT', parquet: 'INT64', glue: 'bigint', trino: 'bigint' },
  'decimal(38,9)': {
    duckdb: 'DECIMAL(38,9)',
    parquet: 'FIXED_LEN_BYTE_ARRAY DECIMAL(38,9)',
    glue: 'decimal(38,9)',
    trino: 'decimal(38,9)',
  },
  double: { duckdb: 'DOUBLE', parquet: 'DOUBLE', glue: 'double', trino: 'double' },
  date: { duckdb: 'DATE', parquet: 'INT32 DATE', glue: 'date', trino: 'date' },
  timestamp: {
    duckdb: 'TIMESTAMP_MS',
    parquet: 'INT64 TIMESTAMP(MILLIS)',
    glue: 'timestamp',
    trino: 'timestamp(3)',
  },
  varchar: { duckdb: 'VARCHAR', parquet: 'BYTE_ARRAY STRING', glue: 'string', trino: 'varchar' },
};

/** The type as DuckDB casts to it. */
export const duckdbType = (type: ColumnType): string => NAMES[type].duckdb;

/** The type as a Parquet file holds it. */
export const parquetType = (type: ColumnType): string => NAMES[type].parquet;

/** The type as a column of a Glue table has it. */
export const glueType = (type: ColumnType): string => NAMES[type].glue;

/** The type as Athena and Trino print it, in views too. */
export const trinoType = (type: ColumnType): string => NAMES[type].trino;

/** True for the types among which a column widens. */
export function isNumeric(type: string): type is NumericType {
  return (NUMERIC_TYPES as readonly string[]).includes(type);
}
