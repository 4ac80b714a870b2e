import { trimEnd } from '../../text.ts';

/** A hexadecimal key, such as a GUID, which servers print with hyphens and without. */
const HEXADECIMAL = /^[0-9a-f]+(?:-[0-9a-f]+)*$/i;

/** Fewer characters of Base64, or fewer digits, occur in ordinary texts. */
const LEAST = 10;

/**
 * Characters with which a secret may begin that are read as the end of an escape: `%` and behind it a key that begins with
 * `2b`. So the rest of a secret, where it is long, is a secret too.
 */
const SWALLOWED = 4;
const LEAST_TAIL = 12;

/** What programs put between the bytes that they print. */
const BETWEEN_BYTES = ['', '-', ':', ' ', ',', ', ', ' 0x', ',0x', ', 0x'];

/**
 * The texts from which a secret can be read, in Latin-1 a byte a character: the secret itself, the hexadecimal digits of its
 * bytes, also with a sign between them (`4B-2B`), and its Base64 (of MIME and of URLs), also as a part of a longer text such as
 * `user:key`, and as .NET makes it, of UTF-16.
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

/** The part of the bytes' Base64 that is always the same if `before` bytes (0 to 2) precede them in their group of three. */
function base64Of(bytes: Buffer, before: number): readonly string[] {
  const whole = trimEnd(Buffer.concat([Buffer.alloc(before), bytes]).toString('base64'), '=');
  // A character that shares bits with what stands before or behind the secret may be any: it stays, with 4 bits at most.
  const own = whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  return own.length < LEAST ? [] : [own, own.replaceAll('+', '-').replaceAll('/', '_')];
}
