import { createHash, createHmac } from 'node:crypto';

/** Bytes of a block of SHA-256: HMAC fills the key to this length. */
const BLOCK = 64;

/** Distinguishes keys of masks without any hint at them: eight hex digits at the beginning of each mask. */
export function maskKeyId(key: Buffer): string {
  return createHmac('sha256', key).update('the id of a key of masks').digest('hex').slice(0, 8);
}

/**
 * The statement of the macro `mask_text(place, text)`: the key's id, a colon and the HMAC-SHA-256 of place and text in
 * hex; null for null. Equal texts of two places, which are columns as TABLE.COLUMN, have nothing in common. A mask of
 * the same key stays as it is. DuckDB has the hash but not the HMAC, so this follows the definition of RFC 2104.
 */
export function maskMacro(key: Buffer): string {
  const filled = Buffer.alloc(BLOCK);
  (key.length > BLOCK ? createHash('sha256').update(key).digest() : key).copy(filled);
  const pad = (byte: number) => Buffer.from(filled.map((each) => each ^ byte)).toString('hex');
  const id = maskKeyId(key);
  return `create temp macro mask_text(place, plain) as case
    when starts_with(plain, '${id}:') and regexp_full_match(plain, '${id}:[0-9a-f]{64}') then plain
    else '${id}:' || sha256(unhex('${pad(0x5c)}') || unhex(sha256(unhex('${pad(0x36)}') || encode(place || chr(31) || plain))))
  end`;
}
