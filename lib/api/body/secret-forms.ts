import { trimEnd } from '../../trim-end.ts';
import { asWritten, inAnyCase, type Spelled, spelled, spelledInAnyCase } from './spellings.ts';

/** A text from which the secret can be read: for each character, the ways to write it. */
export type SecretForm = readonly Spelled[];

/** A hexadecimal key, such as a GUID, which servers print in upper or lower case. */
const HEXADECIMAL = /^[0-9a-f]+(?:-[0-9a-f]+)*$/i;

/** Fewer characters of Base64, or fewer digits, occur in ordinary texts. */
const LEAST = 10;

/**
 * The texts from which a secret can be read: the secret itself, the hexadecimal digits of its bytes, also with a sign
 * between them (`4B-2B`), and its Base64 (of MIME and of URLs), also as a part of a longer text such as `user:key`, and as
 * .NET makes it, of UTF-16.
 */
export function formsOf(secret: string): readonly SecretForm[] {
  const bytes = Buffer.from(secret);
  const isHexadecimal = HEXADECIMAL.test(secret);
  const digits = secret.replaceAll('-', '');
  return [
    [...secret].map(isHexadecimal ? spelledInAnyCase : spelled),
    ...(isHexadecimal && digits !== secret && digits.length >= LEAST ? [[...digits].map(inAnyCase)] : []),
    ...['', ...BETWEEN_BYTES].map((sign) => hexOf(bytes, sign).map(inAnyCase)),
    ...base64Of(Buffer.from(secret, 'utf16le'), 0),
    ...[0, 1, 2].flatMap((before) => base64Of(bytes, before)),
  ];
}

/** What programs put between the bytes that they print. */
const BETWEEN_BYTES = ['-', ':', ' '];

function hexOf(bytes: Buffer, between: string): readonly string[] {
  return [...[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(between)];
}

/** The part of the bytes' Base64 that is always the same if `before` bytes (0 to 2) precede them in their group of three. */
function base64Of(bytes: Buffer, before: number): readonly SecretForm[] {
  const whole = trimEnd(Buffer.concat([Buffer.alloc(before), bytes]).toString('base64'), '=');
  // A character that shares bits with what stands before or behind the secret may be any: it stays, with 4 bits at most.
  const own = whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  if (own.length < LEAST) return [];
  const ofUrls = own.replaceAll('+', '-').replaceAll('/', '_');
  const characters = (text: string) =>
    [...text].map((each) => ('+/'.includes(each) ? spelled(each) : asWritten(each)));
  return [own, ...(ofUrls === own ? [] : [ofUrls])].map(characters);
}
