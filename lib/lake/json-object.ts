import type * as z from 'zod';
import { ExportError } from '../errors.ts';
import { ConditionFailed, type Lake } from './lake.ts';

/**
 * Reads the JSON object at the key and checks its shape; undefined where none exists. Throws STATE_CORRUPT
 * where it is not JSON or has another shape.
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

/** Reads an object of an earlier stage of the run. Throws STATE_CORRUPT also where none exists. */
export async function readState<Value>(lake: Lake, key: string, shape: z.ZodType<Value>): Promise<Value> {
  const state = await readJson(lake, key, shape);
  if (state === undefined) throw stateCorrupt(lake, key, { fault: 'missing' });
  return state;
}

/** Writes a value as JSON that a person can read. */
export async function writeJson(lake: Lake, key: string, value: unknown): Promise<void> {
  await lake.write(key, Buffer.from(`${JSON.stringify(value, null, 1)}\n`));
}

/** How many small objects are read or written at once: on S3 each takes some 30 ms. */
export const OBJECTS_AT_ONCE = 16;

/** The error of an unusable state file. What is committed does not depend on it. */
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

/** After this many lost races the lake has a fault: for each, another process must have put the object. */
const MOST_RACES = 100;

/**
 * Replaces an object by the text that `next` makes of it; undefined leaves it. Where another process was faster,
 * calls `next` again with the new object. A missing object is undefined.
 */
export async function replaceObject(
  lake: Lake,
  key: string,
  next: (stored: Buffer | undefined) => string | undefined | Promise<string | undefined>,
): Promise<void> {
  for (let races = 0; ; races += 1) {
    const stored = await lake.read(key);
    const text = await next(stored?.bytes);
    if (text === undefined) return;
    const condition = stored === undefined ? ({ absent: true } as const) : { match: stored.etag };
    try {
      await lake.write(key, Buffer.from(`${text}\n`), condition);
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed) || races === MOST_RACES) throw error;
    }
  }
}
