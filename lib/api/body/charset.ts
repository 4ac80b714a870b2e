import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

/** Turns a body's bytes into UTF-8. Throws TypeError if they are not of the charset. */
export interface ToUtf8 {
  readonly push: (chunk: Buffer) => Buffer;
  readonly end: () => Buffer;
}

/** Labels that servers use for UTF-8; WHATWG would read ASCII as Windows-1252. */
const UTF8 = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii', '']);
const NOTHING = Buffer.alloc(0);

/** A converter for a content-type's charset; unknown or missing = UTF-8, which it only checks. */
export function createToUtf8(contentType: string): ToUtf8 {
  const label = charsetOf(contentType);
  const decoder = UTF8.has(label) ? null : decoderFor(label);
  if (decoder === null) return utf8Check();
  return {
    push: (chunk) => Buffer.from(decoder.decode(chunk, { stream: true })),
    end: () => Buffer.from(decoder.decode()),
  };
}

/** `utf-16` of `application/json; charset="utf-16"`; empty without a charset. */
function charsetOf(contentType: string): string {
  return /;\s*charset\s*=\s*"?\s*([^\s",;]*)/i.exec(contentType)?.[1]?.toLowerCase() ?? '';
}

function decoderFor(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    return null;
  }
}

/** Checks UTF-8 and passes the chunks on. A character may begin in one chunk and end in the next. */
function utf8Check(): ToUtf8 {
  let checked: TextDecoder | undefined;
  return {
    push(chunk) {
      if (checked === undefined && isUtf8(chunk)) return chunk;
      checked ??= new TextDecoder('utf-8', { fatal: true });
      checked.decode(chunk, { stream: true });
      return chunk;
    },
    end() {
      checked?.decode();
      return NOTHING;
    },
  };
}
