import { trimEnd } from '../../text.ts';

/** A hexadecimal key, such as a GUID, which servers print with hyphens and without. */
const HEXADECIMAL = /^[0-9a-f]+(?:-[0-9a-f]+)*$/i;

/** Ordinary texts have shorter pieces of Base64 or digits by chance. */
const LEAST = 10;

/**
 * The first characters of a secret may look like the end of an escape. Example: `%` in front of a key that
 * begins with `2b`. So the rest of a long secret is a secret too.
 */
const SWALLOWED = 4;
const LEAST_TAIL = 12;

/** What programs put between the bytes that they print. */
const BETWEEN_BYTES = ['', '-', ':', ' ', ',', ', ', ' 0x', ',0x', ', 0x'];

/**
 * The texts from which a secret can be read, one Latin-1 character for each byte. These are the secret itself
 * and its bytes in hexadecimal digits, also with a sign between them (`4B-2B`). The last is its Base64 (of
 * MIME, URLs and .NET's UTF-16), also within a longer text such as `user:key`.
 */
export function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const digits = HEXADECIMAL.test(secret) ? secret.replaceAll('-', '') : '';
  return [
    bytes.toString('latin1'),
    ...(bytes.length < LEAST_TAIL + SWALLOWED ? [] : [bytes.toString('latin1', SWALLOWED)]),
    ...(digits.length >= LEAST ? [digits] : []),
    ...BETWEEN_BYTES.map((sign) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(sign)),
    ...base64Of(Buffer.from(secret, 'utf16le'), 0),
    ...[0, 1, 2].flatMap((before) => base64Of(bytes, before)),
  ];
}

/** The constant part of the bytes' Base64 if `before` bytes (0 to 2) precede them in their group of three. */
function base64Of(bytes: Buffer, before: number): readonly string[] {
  const whole = trimEnd(Buffer.concat([Buffer.alloc(before), bytes]).toString('base64'), '=');
  // A character that shares bits with a neighbour of the secret may be any. It stays, with at most 4 bits.
  const own = whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  return own.length < LEAST ? [] : [own, own.replaceAll('+', '-').replaceAll('/', '_')];
}
