import { SECRET_MARK } from '../../lake/raw/marks.ts';
import { createJsonPlaces } from '../json-places.ts';
import type { SecretFinder } from './secret-finder.ts';

const MARK = Buffer.from(SECRET_MARK);
/** The mark outside of strings: its quotes keep the JSON valid. */
const BARE_MARK = Buffer.from(JSON.stringify(SECRET_MARK));
const NOTHING = Buffer.alloc(0);

export interface Redactor {
  /** Returns the bytes that are safe to pass on. It holds back the length of a secret's longest spelling. */
  readonly push: (chunk: Buffer) => Buffer;
  /** Returns the bytes that were held back. */
  readonly end: () => Buffer;
}

/**
 * Replaces secrets in a stream of chunks, even across two chunks. In JSON it replaces a whole number that
 * contains one. A short key that occurs in ids, names and numbers throws the CallFault SECRET_PLAIN.
 */
export function createRedactor(
  finder: SecretFinder,
  { inJson = false }: { readonly inJson?: boolean } = {},
): Redactor {
  let held: Buffer = NOTHING;
  // To find each string takes time, and an ordinary key does not need it.
  const places = inJson && (finder.mayBeData || finder.mayBeNumber) ? createJsonPlaces() : undefined;

  /** Replaces the secrets in `bytes`. A secret in the last `kept` bytes may be incomplete. */
  function replace(bytes: Buffer, kept: number): Buffer {
    const decided = bytes.length - kept;
    if (decided <= 0) {
      held = bytes;
      return NOTHING;
    }
    places?.begin(bytes);
    const parts: Buffer[] = [];
    let copied = 0;
    for (const hit of finder.hits(bytes)) {
      if (hit.at >= decided) break;
      if (finder.mayBeData) places?.refuseData(hit);
      const { at, end, isBare } = places?.widened(hit) ?? { ...hit, isBare: false };
      parts.push(bytes.subarray(copied, Math.max(copied, at)), isBare ? BARE_MARK : MARK);
      copied = end;
    }
    const cut = kept === 0 ? decided : (places?.cutBefore(decided) ?? decided);
    const safe = Math.max(copied, cut);
    held = bytes.subarray(safe);
    const rest = bytes.subarray(copied, safe);
    places?.pass(safe);
    return parts.length === 0 ? rest : Buffer.concat([...parts, rest]);
  }

  return {
    push: (chunk) =>
      replace(held.length === 0 ? chunk : Buffer.concat([held, chunk]), Math.max(0, finder.longest - 1)),
    end: () => replace(held, 0),
  };
}

/** A text without the secrets. */
export function redactText(text: string, finder: SecretFinder): string {
  const redactor = createRedactor(finder);
  return Buffer.concat([redactor.push(Buffer.from(text)), redactor.end()]).toString('utf8');
}
