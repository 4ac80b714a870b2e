import { createHash } from 'node:crypto';

/** Bytes of a block of SHA-256, to which HMAC fills the key. */
const BLOCK = 64;

/**
 * The statement of the macro `mask_text(text)`: the HMAC-SHA-256 of a text in hex, null for null. DuckDB has the hash
 * but not the HMAC, so it stands here as RFC 2104 defines it.
 */
export function maskMacro(key: Buffer): string {
  const filled = Buffer.alloc(BLOCK);
  (key.length > BLOCK ? createHash('sha256').update(key).digest() : key).copy(filled);
  const pad = (byte: number) => Buffer.from(filled.map((each) => each ^ byte)).toString('hex');
  return `create temp macro mask_text(plain) as
    sha256(unhex('${pad(0x5c)}') || unhex(sha256(unhex('${pad(0x36)}') || encode(plain))))`;
}
