import { SECRET_MARK } from '../../lake/raw/marks.ts';
import { trimEnd } from '../../text.ts';

/** The place of a secret: the bytes [at, end). */
export interface SecretHit {
  readonly at: number;
  readonly end: number;
}

/** Finds secrets in bytes, as programs in use write them. */
export interface SecretFinder {
  /** The length in bytes of the longest spelling of any secret; 0 without a secret. */
  readonly longest: number;
  /** The secrets in the bytes, in order and without overlap. */
  readonly hits: (bytes: Buffer) => Iterable<SecretHit>;
  /** True if a text in Latin-1, such as a header, has a secret. */
  readonly isIn: (text: string) => boolean;
}

/** Bytes of the longest spelling of one character that is found across a cut, such as `&amp;amp;#x00002B;`. */
const LONGEST_SPELLING = 32;

/** Ordinary texts have shorter pieces of Base64 by chance. */
const LEAST = 10;

/** A hexadecimal key, such as a GUID, which servers print with hyphens and without. */
const GUID = /^[0-9a-f]+(?:-[0-9a-f]+)+$/i;

/** JSON in JSON doubles a backslash each time. URLs in URLs, and HTML in HTML, repeat what stands for their sign. */
const BACKSLASH = '\\\\{1,128}';
const PERCENT = '%(?:25){0,4}';
const AMPERSAND = `(?:&|${BACKSLASH}u0026|%26)(?:amp;){0,4}`;
const HTML_NAMES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

const NOWHERE: SecretFinder = { longest: 0, hits: () => [], isIn: () => false };

/**
 * Finds secrets by one expression, in any case. Each character may be escaped as in JSON, URLs and HTML. So may
 * Base64, also within a longer text such as `user:key`, and hexadecimal digits.
 */
export function createSecretFinder(secrets: readonly string[]): SecretFinder {
  const forms = [...new Set(secrets.flatMap(formsOf))];
  if (forms.length === 0) return NOWHERE;
  // The longest first: a shorter form may be the beginning of a longer one.
  forms.sort((a, b) => b.length - a.length);
  const spelled = forms.map((form) => {
    const isOwn = secrets.includes(form);
    return [...form].map((character) => spellings(character, isOwn)).join('');
  });
  const any = new RegExp(spelled.join('|').toLowerCase(), 'g');
  const hitsIn = (text: string): readonly SecretHit[] => {
    const hits: SecretHit[] = [];
    const folded = text.toLowerCase();
    any.lastIndex = 0;
    for (let hit = any.exec(folded); hit !== null; hit = any.exec(folded))
      hits.push({ at: hit.index, end: any.lastIndex });
    return hits;
  };
  return {
    longest: Math.max(...forms.map((form) => form.length)) * LONGEST_SPELLING,
    hits: (bytes) => hitsIn(bytes.toString('latin1')),
    isIn: (text) => hitsIn(text).length > 0,
  };
}

/** The texts from which a secret can be read, one Latin-1 character for each byte. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [
    bytes.toString('latin1'),
    ...(GUID.test(secret) ? [secret.replaceAll('-', '')] : []),
    bytes.toString('hex'),
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

/** An expression for a character and its escapes; without `isAll` letters and digits have none. */
function spellings(character: string, isAll: boolean): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16).padStart(2, '0');
  const name = HTML_NAMES[character];
  const html = [`#0{0,6}${code};?`, `#x0{0,6}${hex};?`, ...(name === undefined ? [] : [`${name};?`])];
  const own = /[\\/"]/.test(character) ? '\\\\{0,128}' : '';
  if (/[0-9a-z]/i.test(character) && !isAll) return character;
  const plain = `${own}${character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}`;
  return `(?:${plain}|${BACKSLASH}u00${hex}|${PERCENT}${hex}|${AMPERSAND}(?:${html.join('|')}))`;
}

const MARK = Buffer.from(SECRET_MARK);
const NOTHING = Buffer.alloc(0);

/** Replaces secrets in a stream of chunks, even across two chunks. */
export function createRedactor(finder: SecretFinder) {
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
    /** Returns the bytes that are safe to pass on. It holds back the length of a secret's longest spelling. */
    push: (chunk: Buffer): Buffer =>
      replace(held.length === 0 ? chunk : Buffer.concat([held, chunk]), Math.max(0, finder.longest - 1)),
    /** Returns the bytes that were held back. */
    end: (): Buffer => replace(held, 0),
  };
}

/** A text without the secrets. */
export function redactText(text: string, finder: SecretFinder): string {
  const redactor = createRedactor(finder);
  return Buffer.concat([redactor.push(Buffer.from(text)), redactor.end()]).toString('utf8');
}
