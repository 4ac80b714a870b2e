import type * as z from 'zod';
import { ExportError } from '../errors.ts';
import type { Lake } from './lake.ts';

/**
 * The JSON object under the key, as its shape says it; undefined where there is none. Throws STATE_CORRUPT where it is
 * no JSON or has another shape.
 */
export async function readJson<Value>(
  lake: Lake,
  key: string,
  shape: z.ZodType<Value>,
): Promise<Value | undefined> {
  const stored = await lake.read(key);
  if (stored === undefined) return undefined;
  try {
    return shape.parse(JSON.parse(stored.bytes.toString('utf8')));
  } catch (cause) {
    throw stateCorrupt(lake, key, { fault: 'damaged', cause });
  }
}

/** The same of an object that an earlier stage of the run wrote. Throws STATE_CORRUPT where there is none. */
export async function readState<Value>(lake: Lake, key: string, shape: z.ZodType<Value>): Promise<Value> {
  const state = await readJson(lake, key, shape);
  if (state === undefined) throw stateCorrupt(lake, key, { fault: 'missing' });
  return state;
}

/** Writes a value as JSON that a person can read. */
export async function writeJson(lake: Lake, key: string, value: unknown): Promise<void> {
  await lake.write(key, Buffer.from(`${JSON.stringify(value, null, 1)}\n`));
}

/** How many small objects are read or written at a time: on S3 each takes some 30 ms. */
export const OBJECTS_AT_ONCE = 16;

/** The error of a state file that cannot be used; what is committed does not depend on it. */
export function stateCorrupt(
  lake: Lake,
  key: string,
  { fault, cause }: { readonly fault: string; readonly cause?: unknown },
): ExportError {
  return new ExportError({
    code: 'STATE_CORRUPT',
    message: `${lake.name}/${key} is ${fault}. Remove it if it is there, and start the same run again. Answers in raw are not requested again, and the committed tables are unharmed.`,
    cause,
  });
}
