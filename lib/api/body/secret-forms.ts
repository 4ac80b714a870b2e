import { trimEnd } from '../../trim-end.ts';
import { asWritten, inAnyCase, type Spelled, spelled, spelledInAnyCase } from './spellings.ts';

/** A text by which a secret can be read, character by character: how each may be written. */
export type SecretForm = readonly Spelled[];

/** What tells a key that is hexadecimal, such as a GUID: servers print those in either case. */
const HEXADECIMAL = /^[0-9a-f]+(?:-[0-9a-f]+)*$/i;

/** Fewer characters of Base64, or digits, would stand in ordinary texts. */
const LEAST = 10;

/**
 * The texts by which a secret can be read in an answer: the secret itself, the hexadecimal digits of its bytes, and what
 * Base64 (that of MIME and that of URLs) makes of it, wherever in a longer text, such as `user:key`, it stands.
 */
export function formsOf(secret: string): readonly SecretForm[] {
  const bytes = Buffer.from(secret);
  const isHexadecimal = HEXADECIMAL.test(secret);
  const digits = secret.replaceAll('-', '');
  return [
    [...secret].map(isHexadecimal ? spelledInAnyCase : spelled),
    ...(isHexadecimal && digits !== secret && digits.length >= LEAST ? [[...digits].map(inAnyCase)] : []),
    [...bytes.toString('hex')].map(inAnyCase),
    ...[0, 1, 2].flatMap((before) => base64Of(bytes, before)),
  ];
}

/** What Base64 always makes of bytes that so many others, from 0 to 2, precede in their group of three. */
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
