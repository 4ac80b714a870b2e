import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import { lakeKey } from './keys.ts';
import type { Lake } from './lake.ts';

const bundle = z.record(z.string(), z.string());

/** The objects of state without which the newest head says nothing, as texts by their keys. */
export type StateCopy = Readonly<z.infer<typeof bundle>>;

/**
 * Keeps a copy of the objects outside state/: whoever loses that folder, or gets an older one back, still has the last
 * commit. Each commit replaces the copy of the one before.
 */
export async function writeStateCopy(lake: Lake, objects: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const texts = [...objects].map(([key, bytes]) => [key, Buffer.from(bytes).toString('utf8')]);
  await lake.write(lakeKey('stateCopy'), gzipSync(JSON.stringify(Object.fromEntries(texts))));
}

/** The copy of the last commit; empty where there is none, or it is damaged: it is only a copy. */
export async function readStateCopy(lake: Lake): Promise<StateCopy> {
  const object = await lake.read(lakeKey('stateCopy'));
  if (object === undefined) return {};
  try {
    return bundle.parse(JSON.parse(gunzipSync(object.bytes).toString('utf8')));
  } catch {
    return {};
  }
}
