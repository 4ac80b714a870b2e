import { ConditionFailed, type Lake } from './lake.ts';

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
