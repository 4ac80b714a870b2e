import { isUtf8 } from 'node:buffer';
import { ExportError } from '../../errors.ts';
import { OUTCOMES, type RawRow } from './raw.ts';

type RawColumnType = 'UTF8' | 'INT32' | 'TIMESTAMP_MILLIS';

interface Column {
  readonly name: string;
  readonly type: RawColumnType;
  readonly optional: boolean;
  readonly fits: (value: unknown) => boolean;
}

const MAX_INT32 = 2 ** 31 - 1;
/** The longest string of V8. A longer body could not be read as text. */
const MAX_TEXT_BYTES = 536_870_888;

const text = { type: 'UTF8', fits: isText } as const;
const count = { type: 'INT32', fits: isCount } as const;

/** The columns of every raw file, in order. Index columns are neighbours, so one range of bytes has them. */
export const RAW_COLUMNS: { readonly [Field in keyof RawRow]-?: Column } = {
  parentId: { name: 'parent_id', optional: true, ...text },
  page: { name: 'page', optional: false, ...count },
  slice: { name: 'slice', optional: false, ...count },
  outcome: { name: 'outcome', optional: true, type: 'UTF8', fits: isOutcome },
  errorCode: { name: 'error_code', optional: true, ...text },
  answeredAt: { name: 'answered_at', optional: false, type: 'TIMESTAMP_MILLIS', fits: isDate },
  status: { name: 'status', optional: true, ...count },
  attempts: { name: 'attempts', optional: false, ...count },
  message: { name: 'message', optional: true, ...text },
  items: { name: 'items', optional: false, ...count },
  recordsFrom: { name: 'records_from', optional: true, ...count },
  recordsTo: { name: 'records_to', optional: true, ...count },
  body: { name: 'body', optional: true, type: 'UTF8', fits: isBody },
  mended: { name: 'mended', optional: true, ...text },
};

const FIELDS = Object.entries(RAW_COLUMNS);
const KNOWN: ReadonlySet<string> = new Set(Object.keys(RAW_COLUMNS));

/**
 * The values of a row by column name, without nulls. Throws RAW_ROW_INVALID with the column's name for every
 * value that parquetjs-lite would change, cut, drop or store wrongly. It checks nothing itself.
 */
export function encodeRawRow(row: RawRow): Readonly<Record<string, unknown>> {
  const encoded: Record<string, unknown> = {};
  for (const [field, column] of FIELDS) {
    const value: unknown = Reflect.get(row, field);
    if (value === null && column.optional) continue;
    if (!column.fits(value)) throw rowInvalid(`column ${column.name} cannot hold its value`);
    encoded[column.name] = value;
  }
  for (const field of Object.keys(row)) {
    if (!KNOWN.has(field)) throw rowInvalid(`there is no column for the field ${JSON.stringify(field)}`);
  }
  return encoded;
}

/** The approximate bytes of a row in memory until its group is written. */
export function weightOfRow(row: RawRow): number {
  return 200 + (row.body?.length ?? 0) + (row.mended?.length ?? 0) + (row.message?.length ?? 0);
}

/** The error for a row that must not be written to a raw file. */
export function rowInvalid(what: string, cause?: unknown): ExportError {
  return new ExportError({
    code: 'RAW_ROW_INVALID',
    message: `A raw row cannot be written: ${what}. This is a mistake in signage-export; please report this sentence.`,
    cause,
  });
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length < MAX_TEXT_BYTES && value.isWellFormed();
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && !Object.is(value, -0) && Number(value) >= 0 && Number(value) <= MAX_INT32;
}

function isOutcome(value: unknown): boolean {
  return OUTCOMES.some((outcome) => outcome === value);
}

function isDate(value: unknown): boolean {
  return value instanceof Date && !Number.isNaN(value.getTime());
}

function isBody(value: unknown): boolean {
  return Buffer.isBuffer(value) && value.length < MAX_TEXT_BYTES && isUtf8(value);
}
