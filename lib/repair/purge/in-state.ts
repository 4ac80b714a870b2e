import { lakeKey, listKeys } from '../../lake/keys.ts';
import type { Lake } from '../../lake/lake.ts';
import { parentHash } from '../../parent-hash.ts';
import { readTurn } from '../../run/batch.ts';

/** An object of the lake that has something of what is purged. */
export interface Place {
  readonly key: string;
  readonly bytes: number;
  readonly isRaw: boolean;
  /** Writes it again without. */
  readonly clean: () => Promise<void>;
}

interface OfParent {
  readonly lake: Lake;
  readonly source: string;
  readonly parentId: string;
}

/** The state that names a parent: batches, what its listing lacked, parents with children, the next turn. */
export async function* placesInState(of: OfParent): AsyncGenerator<Place> {
  const { lake, source, parentId } = of;
  const place = (key: string, clean: () => Promise<void>): Place => ({ key, bytes: 0, isRaw: false, clean });
  const others = [lakeKey('parents', { source })];
  for (const kind of ['batch', 'dialects'] as const)
    for await (const each of listKeys(lake, kind)) if (each.source === source) others.push(each.key);
  for (const key of others) {
    const text = (await lake.read(key))?.bytes.toString('utf8');
    if (text === undefined) continue;
    const left = JSON.stringify(withoutParent(JSON.parse(text), parentId));
    if (left === JSON.stringify(JSON.parse(text))) continue;
    yield place(key, async () => void (await lake.write(key, Buffer.from(left))));
  }
  const turn = lakeKey('turn', { source });
  if ((await readTurn(lake, source)) === parentHash(parentId)) yield place(turn, () => lake.remove([turn]));
}

/** JSON of the state without a parent in lists of parents. */
export function withoutParent<Value>(value: Value, parentId: string): Value {
  return JSON.parse(JSON.stringify(value), (name, each: unknown) =>
    Array.isArray(each) && ['', 'parents', 'unlisted'].includes(name)
      ? each.filter((id) => id !== parentId)
      : each,
  );
}
