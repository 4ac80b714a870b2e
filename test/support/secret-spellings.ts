import { escape as escapeHtml } from 'node:querystring';

/** How servers write a text into JSON; each gives the text between the quotes. Written without a look at the product. */
export const SPELLINGS: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => JSON.stringify(secret).slice(1, -1),
  'as .NET escapes it, in capitals': (secret) =>
    escapeEach(secret, (hex) => `\\u00${hex.toUpperCase()}`, /[^a-z0-9-]/gi),
  'as .NET escapes it, in small letters': (secret) =>
    escapeEach(secret, (hex) => `\\u00${hex}`, /[^a-z0-9-]/gi),
  'each character escaped': (secret) => escapeEach(secret, (hex) => `\\u00${hex}`, /./g),
  'slashes escaped': (secret) => JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
  'in a URL': (secret) => encodeURIComponent(secret),
  'in a URL, in small letters': (secret) =>
    encodeURIComponent(secret).replaceAll(/%../g, (each) => each.toLowerCase()),
  'in a URL, quotes too': (secret) => escapeHtml(secret).replaceAll("'", '%27').replaceAll('!', '%21'),
  'in a URL, each character': (secret) => escapeEach(secret, (hex) => `%${hex}`, /./g),
  'in HTML, by number': (secret) => escapeEach(secret, (_, code) => `&#${code};`, /[^a-z0-9]/gi),
  'in HTML, by hexadecimal number': (secret) => escapeEach(secret, (hex) => `&#x${hex};`, /[^a-z0-9]/gi),
  'in HTML that .NET escaped': (secret) => escapeEach(secret, (_, code) => `\\u0026#${code};`, /[^a-z0-9]/gi),
  'in HTML, by name': (secret) =>
    JSON.stringify(secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&apos;')).slice(
      1,
      -1,
    ),
  'in JSON within JSON': (secret) => JSON.stringify(JSON.stringify(secret)).slice(1, -1),
  'in JSON within JSON, escaped': (secret) =>
    JSON.stringify(`"${escapeEach(secret, (hex) => `\\u00${hex}`, /[^a-z0-9-]/gi)}"`).slice(1, -1),
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
    encodeURIComponent(encodeURIComponent(encodeURIComponent(secret))),
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
  for (
    let next = unescapedOnce(text);
    next !== read.at(-1) && read.length < READ_AGAIN;
    next = unescapedOnce(next)
  )
    read.push(next);
  const base64 = [...text.matchAll(/[A-Za-z0-9+/_-]{12,}/g)].map(([run]) =>
    Buffer.from(run, 'base64').toString('latin1'),
  );
  const hex = [...text.matchAll(/(?:[0-9a-f]{2}){8,}/gi)].map(([run]) =>
    Buffer.from(run, 'hex').toString('latin1'),
  );
  return [...read, ...base64, ...hex];
}
