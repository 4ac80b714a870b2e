import { type LakeKey, parseKey } from './keys.ts';
import type { Lake } from './lake.ts';

/** How many keys one call removes: S3 takes no more. */
const AT_ONCE = 1000;

/** Removes the objects below a prefix if the condition accepts their key; a foreign key is undefined. */
export async function removeAll(
  lake: Lake,
  prefix: string,
  isRemoved: (key: LakeKey | undefined) => boolean = () => true,
): Promise<void> {
  let keys: string[] = [];
  for await (const { key } of lake.list(prefix)) {
    if (isRemoved(parseKey(key))) keys.push(key);
    if (keys.length < AT_ONCE) continue;
    await lake.remove(keys);
    keys = [];
  }
  await lake.remove(keys);
}
