import type { SecretFinder } from './secret-finder.ts';

/** Replaces a secret in all that is stored or printed. */
const SECRET_MARK = '[secret]';

/** A shorter key would be a part of ordinary words and numbers, and replacing it would damage the body. */
export const SECRET_MIN_LENGTH = 8;

const MARK = Buffer.from(SECRET_MARK);
const NOTHING = Buffer.alloc(0);

export interface Redactor {
  /** The bytes that are safe to hand on. As many as the longest spelling of a secret has are held back. */
  readonly push: (chunk: Buffer) => Buffer;
  /** Gives the bytes that were held back. */
  readonly end: () => Buffer;
}

/** Replaces secrets in a stream of chunks, also a secret that begins in one chunk and ends in the next. */
export function createRedactor(finder: SecretFinder): Redactor {
  let held: Buffer = NOTHING;

  /** Replaces the secrets in `bytes`. A secret that begins in the last `kept` bytes may not be complete yet. */
  function replace(bytes: Buffer, kept: number): Buffer {
    const decided = bytes.length - kept;
    if (decided <= 0) {
      held = bytes;
      return NOTHING;
    }
    const parts: Buffer[] = [];
    let copied = 0;
    for (const hit of finder.hits(bytes)) {
      if (hit.at >= decided) break;
      parts.push(bytes.subarray(copied, hit.at), MARK);
      copied = hit.end;
    }
    const safe = Math.max(copied, decided);
    held = bytes.subarray(safe);
    const rest = bytes.subarray(copied, safe);
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
