import type { Json, JsonObject } from '#simulator/json.ts';

/** What the API said at one path of a record. */
export interface Said {
  /** Keys joined by dots, as `schema_columns.api_path` has it. */
  readonly path: string;
  readonly value: Json;
}

/** Every value of a record with its path; objects are taken apart, arrays are one value. */
export function saidOf(record: JsonObject, prefix: readonly string[] = []): readonly Said[] {
  return Object.entries(record).flatMap(([key, value]) => {
    const path = [...prefix, key];
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return saidOf(value as JsonObject, path);
    return [{ path: path.join('.'), value: value ?? null }];
  });
}

const NEVER = '0001-01-01T00:00:00Z';

/**
 * Whether a cell, as `query --format json` gives it, holds what the API said. Written apart from lib: times by Date,
 * numbers by their digits.
 */
export function isSame(cell: unknown, said: Json, type: string): boolean {
  if (said === null || said === NEVER) return cell === null;
  if (type === 'timestamp') {
    const moment = typeof said === 'number' ? said * 1000 : Date.parse(String(said));
    return Date.parse(String(cell)) === moment;
  }
  if (Array.isArray(said)) return JSON.stringify(JSON.parse(String(cell))) === JSON.stringify(said);
  if (typeof said === 'number') return typeof cell === 'string' ? cell === String(said) : cell === said;
  return cell === said;
}
