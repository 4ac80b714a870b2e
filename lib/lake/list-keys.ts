import { type KeyFields, type KeyKind, type LakeKey, lakePrefix, parseKey } from './keys.ts';
import type { Lake } from './lake.ts';

/** A key of the lake with its fields and its object's size in bytes. */
export type ListedKey<Kind extends KeyKind> = Extract<LakeKey, { readonly kind: Kind }> & {
  readonly key: string;
  readonly size: number;
};

/**
 * All keys of one kind with these fields, in order: `listKeys(lake, 'raw', { runId })`. Leaves out other
 * kinds in the same folder, and keys up to `after`.
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
