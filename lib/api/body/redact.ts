import { SECRET_MARK } from '../../lake/raw/marks.ts';
import type { SecretFinder } from './secret-finder.ts';

const MARK = Buffer.from(SECRET_MARK);
const NOTHING = Buffer.alloc(0);

export interface Redactor {
  /** Returns the bytes that are safe to pass on. It holds back the length of a secret's longest spelling. */
  readonly push: (chunk: Buffer) => Buffer;
  /** Returns the bytes that were held back. */
  readonly end: () => Buffer;
}

/** Replaces secrets in a stream of chunks, even across two chunks. */
export function createRedactor(finder: SecretFinder): Redactor {
  let held: Buffer = NOTHING;

  /** Replaces the secrets in `bytes`. A secret in the last `kept` bytes may be incomplete. */
  function replace(bytes: Buffer, kept: number): Buffer {
    const decided = bytes.length - kept;
    if (decided <= 0) {
      held = bytes;
      return NOTHING;
    }
    const parts: Buffer[] = [];
    let copied = 0;
    for (const { at, end } of finder.hits(bytes)) {
      if (at >= decided) break;
      parts.push(bytes.subarray(copied, at), MARK);
      copied = end;
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
