import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import type { SplitHead } from './head-months.ts';
import type { Head } from './head-shape.ts';
import { lakeKey } from './keys.ts';
import type { Lake } from './lake.ts';

const bundle = z.record(z.string(), z.string());

/** The state objects that the newest head needs, as texts by their keys. */
export type StateCopy = Readonly<z.infer<typeof bundle>>;

/**
 * Keeps a copy of the objects outside state/. So whoever loses that folder, or restores an older one, still
 * has the last commit. Each commit replaces the former copy. The state of past runs is not in it.
 */
export async function writeStateCopy(
  lake: Lake,
  { head, bytes, split }: { readonly head: Head; readonly bytes: Buffer; readonly split: SplitHead },
): Promise<void> {
  const objects = new Map<string, Uint8Array>([[lakeKey('head'), bytes]]);
  for (const [month, file] of split.files) objects.set(lakeKey('month', { month, ...file }), file.bytes);
  for (const key of [head.schema, lakeKey('summary', head)]) {
    const object = await lake.read(key);
    if (object !== undefined) objects.set(key, object.bytes);
  }
  const texts = [...objects].map(([key, bytes]) => [key, Buffer.from(bytes).toString('utf8')]);
  await lake.write(lakeKey('stateCopy'), gzipSync(JSON.stringify(Object.fromEntries(texts))));
}

/** The copy of the last commit; empty where it is missing or damaged, because it is only a copy. */
export async function readStateCopy(lake: Lake): Promise<StateCopy> {
  const object = await lake.read(lakeKey('stateCopy'));
  if (object === undefined) return {};
  try {
    return bundle.parse(JSON.parse(gunzipSync(object.bytes).toString('utf8')));
  } catch {
    return {};
  }
}
