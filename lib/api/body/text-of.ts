import { isAscii } from 'node:buffer';

/** The text of bytes in UTF-8. */
export function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}
