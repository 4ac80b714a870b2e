import { type KeyFields, type KeyKind, type LakeKey, lakePrefix, parseKey } from './keys.ts';
import type { Lake } from './lake.ts';

/** A key of the lake, read, with the object's size in bytes. */
export type ListedKey<Kind extends KeyKind> = Extract<LakeKey, { readonly kind: Kind }> & {
  readonly key: string;
  readonly size: number;
};

/**
 * All keys of one kind that have these fields, in the order of their keys: `listKeys(lake, 'raw', { runId })`. A key of
 * another kind in the same folder is passed over, and so is one that is not behind `after`.
 */
export async function* listKeys<Kind extends KeyKind>(
  lake: Lake,
  kind: Kind,
  fields: Partial<KeyFields<Kind>> = {},
  after?: string,
): AsyncGenerator<ListedKey<Kind>> {
  for await (const { key, size } of lake.list(lakePrefix(kind, fields), after)) {
    const parsed = parseKey(key);
    if (parsed === undefined || !isOfKind(parsed, kind)) continue;
    yield { ...parsed, key, size };
  }
}

function isOfKind<Kind extends KeyKind>(
  parsed: LakeKey,
  kind: Kind,
): parsed is Extract<LakeKey, { readonly kind: Kind }> {
  return parsed.kind === kind;
}
