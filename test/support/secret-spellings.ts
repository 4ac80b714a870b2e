import { escape as escapeHtml } from 'node:querystring';

const SIGNS = /[^a-z0-9-]/gi;
const unicode = (hex: string) => `\\u00${hex}`;
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const htmlOf = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&apos;');

/** How servers write a text into JSON; each gives the text between the quotes. Written without a look at the product. */
export const SPELLINGS: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => inJson(secret),
  'as .NET escapes it, in capitals': (secret) =>
    escapeEach(secret, (hex) => `\\u00${hex.toUpperCase()}`, SIGNS),
  'as .NET escapes it, in small letters': (secret) => escapeEach(secret, unicode, SIGNS),
  'each character escaped': (secret) => escapeEach(secret, unicode, /./g),
  'slashes escaped': (secret) => inJson(secret).replaceAll('/', '\\/'),
  'in a URL': (secret) => encodeURIComponent(secret),
  'in a URL, in small letters': (secret) =>
    encodeURIComponent(secret).replaceAll(/%../g, (it) => it.toLowerCase()),
  'in a URL, quotes too': (secret) => escapeHtml(secret).replaceAll("'", '%27').replaceAll('!', '%21'),
  'in a URL, each character': (secret) => escapeEach(secret, (hex) => `%${hex}`, /./g),
  'in HTML, by number': (secret) => escapeEach(secret, (_, code) => `&#${code};`, /[^a-z0-9]/gi),
  'in HTML, by hexadecimal number': (secret) => escapeEach(secret, (hex) => `&#x${hex};`, /[^a-z0-9]/gi),
  'in HTML that .NET escaped': (secret) => escapeEach(secret, (_, code) => `\\u0026#${code};`, /[^a-z0-9]/gi),
  'in HTML, by name': (secret) => inJson(htmlOf(secret)),
  'in JSON within JSON': (secret) => inJson(JSON.stringify(secret)),
  'in JSON within JSON, escaped': (secret) => inJson(`"${escapeEach(secret, unicode, SIGNS)}"`),
  'in Base64': (secret) => Buffer.from(secret).toString('base64'),
  'in Base64 of URLs': (secret) => Buffer.from(secret).toString('base64url'),
  'in Base64 with a user': (secret) => Buffer.from(`user:${secret}`).toString('base64'),
  'in Base64 of a header': (secret) => Buffer.from(`Bearer ${secret}\n`).toString('base64'),
  'in Base64 of a longer user': (secret) => Buffer.from(`admin2:${secret};`).toString('base64'),
  'in hexadecimal': (secret) => Buffer.from(secret).toString('hex'),
  'in HTML, without semicolons': (secret) => escapeEach(secret, (_, code) => `&#${code}`, /[^a-z0-9]/gi),
  'in HTML within HTML': (secret) => escapeEach(secret, (_, code) => `&amp;#${code};`, /[^a-z0-9]/gi),
  'in HTML within HTML, twice': (secret) => escapeEach(secret, (hex) => `&amp;amp;#x${hex};`, /[^a-z0-9]/gi),
  'in a URL within a URL': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'in a URL within a URL, twice': (secret) =>
    [1, 2, 3].reduce<string>((text) => encodeURIComponent(text), secret),
  'in hexadecimal, in capitals': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
};

function escapeEach(text: string, write: (hex: string, code: number) => string, which: RegExp): string {
  return text.replaceAll(which, (character) => {
    const code = character.charCodeAt(0);
    return write(code.toString(16).padStart(2, '0'), code);
  });
}

/** How often the readings of a text are read again: JSON in JSON in JSON doubles a backslash each time. */
const READ_AGAIN = 10;

/** What a reader of escapes makes of a text. */
function unescapedOnce(from: string): string {
  const character = (radix: number) => (whole: string, digits: string) => {
    const code = Number.parseInt(digits, radix);
    return code > 0x10ffff ? whole : String.fromCodePoint(code);
  };
  return from
    .replaceAll(/\\+u([0-9a-f]{4})/g, character(16))
    .replaceAll(/%([0-9a-f]{2})/gi, character(16))
    .replaceAll(/&#x0*([0-9a-f]{1,6});/gi, character(16))
    .replaceAll(/&#0*(\d{1,6});?/g, character(10))
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\\+(["/])/g, '$1');
}

/** Every reading of a text that somebody who looks for a key in it would try. */
export function decodings(text: string): readonly string[] {
  const read = [text];
  let next = unescapedOnce(text);
  for (; next !== read.at(-1) && read.length < READ_AGAIN; next = unescapedOnce(next)) read.push(next);
  const runsOf = (form: RegExp, encoding: BufferEncoding) =>
    (text.match(form) ?? []).map((run) => Buffer.from(run, encoding).toString('latin1'));
  return [...read, ...runsOf(/[A-Za-z0-9+/_-]{12,}/g, 'base64'), ...runsOf(/(?:[0-9a-f]{2}){8,}/gi, 'hex')];
}
