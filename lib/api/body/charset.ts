import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

/** Turns a body's bytes into UTF-8. Throws TypeError if they are not of the charset. */
export interface ToUtf8 {
  readonly push: (chunk: Buffer) => Buffer;
  readonly end: () => Buffer;
}

/** Labels under which UTF-8 is served; WHATWG would read ASCII as Windows-1252. */
const UTF8 = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii', '']);
const NOTHING = Buffer.alloc(0);

/** A converter for the charset that a content-type names; unknown or none = UTF-8, which is only checked. */
export function createToUtf8(contentType: string): ToUtf8 {
  const label = charsetOf(contentType);
  const decoder = UTF8.has(label) ? null : decoderFor(label);
  return decoder === null ? utf8Check() : recode(decoder);
}

/** `utf-16` of `application/json; charset="utf-16"`; nothing where no charset is named. */
function charsetOf(contentType: string): string {
  for (const parameter of contentType.split(';')) {
    const [name = '', value = ''] = parameter.split('=', 2);
    if (name.trim().toLowerCase() !== 'charset') continue;
    const [label = ''] = value.replaceAll('"', ' ').trim().split(/[,\s]/, 1);
    return label.toLowerCase();
  }
  return '';
}

function decoderFor(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    return null;
  }
}

function recode(decoder: TextDecoder): ToUtf8 {
  return {
    push: (chunk) => Buffer.from(decoder.decode(chunk, { stream: true })),
    end: () => Buffer.from(decoder.decode()),
  };
}

/** Checks UTF-8 and passes the chunks on. A character may begin in one chunk and end in the next. */
function utf8Check(): ToUtf8 {
  let open: Buffer = NOTHING;
  return {
    push(chunk) {
      if (open.length === 0 && isAscii(chunk)) return chunk;
      const bytes = open.length === 0 ? chunk : Buffer.concat([open, chunk]);
      const whole = bytes.length - openTail(bytes);
      if (!isUtf8(bytes.subarray(0, whole))) throw new TypeError('not UTF-8');
      open = whole === bytes.length ? NOTHING : bytes.subarray(whole);
      return chunk;
    },
    end() {
      if (open.length > 0) throw new TypeError('not UTF-8');
      return NOTHING;
    },
  };
}

/** The number of bytes at the end that begin an unfinished character. */
function openTail(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const lead = bytes[bytes.length - back] ?? 0;
    if ((lead & 0xc0) === 0x80) continue;
    const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}
