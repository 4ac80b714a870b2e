/** Where a character of an unescaped text was in the text before: [from, to). */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A text of Latin-1 after one unescaping. */
export interface Unescaped {
  readonly text: string;
  /** The place of this character before the unescaping. */
  readonly spanAt: (place: number) => Span;
}

/** HTML's names of ASCII's punctuation. @see https://html.spec.whatwg.org/multipage/named-characters.html */
const HTML_NAMES = new Map(
  [
    'amp& ast* bsol\\ colon: comma, commat@ dollar$ equals= excl! grave` gt> Hat^ lcub{ lowbar_ lpar( lsqb[',
    'lt< num# percnt% period. plus+ quest? quot" rcub} rpar) rsqb] semi; sol/ verbar|',
    "apos'",
  ].flatMap((names) => names.split(' ').map((name) => [name.slice(0, -1), name.slice(-1)])),
);

/** The characters of these letters after a backslash. */
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

const HEX = '[0-9A-Fa-f]';
/** Two digits of a visible ASCII character, hexadecimal and decimal. */
const SEEN = `0{0,6}[2-7]${HEX}`;
const SEEN_DECIMAL = '0{0,6}(?:1[01][0-9]|12[0-7]|[3-9][0-9])';

/** The spellings of a character, and who writes them. */
const ESCAPES = [
  /** `\u{2b}`, `\U0000002b`, `\u002b`, `%u002b`: JSON, JavaScript, Python, old JavaScript. */
  `\\\\u\\{${HEX}{1,8}\\}`,
  `\\\\U${HEX}{8}`,
  `[\\\\%]u${HEX}{4}`,
  /** `\x2b`, `\x{2b}`, `%2b`, `=2B`: C, Perl, URLs, quoted printable. */
  `\\\\x\\{${HEX}{2}\\}`,
  `(?:\\\\x|%|=)${HEX}{2}`,
  /** `\053`: C. `\2b `, with a blank: CSS. */
  '\\\\[0-3][0-7]{2}',
  `\\\\0{0,4}${HEX}{2} `,
  /** `&#x2b;`, `&#43;`, `&plus;`, also without the semicolon: HTML. */
  `&#[xX](?:${HEX}{1,8};|${SEEN})`,
  `&#(?:[0-9]{1,8};|${SEEN_DECIMAL})`,
  `&(?:${[...HTML_NAMES.keys()].join('|')});?`,
  /** JSON in JSON doubles a backslash, again and again: any number of them is one. */
  '\\\\{2,}',
  /** `\"`, `\/`, `\+`: a sign that begins no escape means itself. Else `\n` and its like. */
  "\\\\[!-$'-/:-<>-@[\\]^-`{-~]",
  '\\\\[0bfnrtv]',
];

/**
 * Invisible signs: NUL between ASCII characters (UTF-16 and UTF-32); a soft hyphen in Latin-1; the soft line
 * break of quoted printable; a line break within a word, as in Base64 of MIME.
 */
const UNSEEN = ['\\0+', '\\xad', '=\\r?\\n', '(?<=[\\w+/=-])\\r?\\n(?=[\\w+/=-])'];

const ESCAPE = new RegExp([...ESCAPES, ...UNSEEN].join('|'), 'y');
/** The first characters of all escapes. A search for them costs a tenth of a search for the escapes. */
const BEGINNING = /[\\%&=\0\r\n\xad\xc2-\xcd\xd8\xe1-\xe3\xea\xef\xf0\xf3]/g;
/** A character of UTF-8 beyond ASCII. BEGINNING has the first bytes of those that `plainOf` changes. */
const BEYOND_ASCII = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/y;
const FIRST_BEYOND = 0xc2;

/**
 * The text with each escape replaced by its character, in UTF-8 as Latin-1 shows it. A look-alike becomes its
 * ASCII character, and invisible signs go. One character is one byte, so places in the text are places in the
 * bytes. Undefined without an escape. A double escape needs two calls.
 */
export function unescaped(text: string): Unescaped | undefined {
  BEGINNING.lastIndex = 0;
  // Most texts have none, and cost no more than this.
  if (!BEGINNING.test(text)) return undefined;
  const parts: string[] = [];
  /** For each escape its place in the new text, the place after it, and its place in the old text. */
  const at: number[] = [];
  const behind: number[] = [];
  const from: number[] = [];
  const to: number[] = [];
  let length = 0;
  let copied = 0;
  BEGINNING.lastIndex = 0;
  for (let begun = BEGINNING.exec(text); begun !== null; begun = BEGINNING.exec(text)) {
    const { index } = begun;
    const kind = text.charCodeAt(index) < FIRST_BEYOND ? ESCAPE : BEYOND_ASCII;
    kind.lastIndex = index;
    const written = kind.exec(text)?.[0];
    if (written === undefined) continue;
    const character = characterOf(written);
    if (character === written) {
      BEGINNING.lastIndex = index + written.length;
      continue;
    }
    parts.push(text.slice(copied, index), character);
    length += index - copied;
    at.push(length);
    length += character.length;
    behind.push(length);
    from.push(index);
    copied = index + written.length;
    to.push(copied);
    BEGINNING.lastIndex = copied;
  }
  if (at.length === 0) return undefined;
  parts.push(text.slice(copied));
  return {
    text: parts.join(''),
    spanAt: (place) => {
      const last = lastUpTo(at, place);
      if (last < 0) return { from: place, to: place + 1 };
      const [end = 0, begun = 0, ended = 0] = [behind[last], from[last], to[last]];
      if (place < end) return { from: begun, to: ended };
      return { from: ended + place - end, to: ended + place - end + 1 };
    },
  };
}

function characterOf(written: string): string {
  const second = written.charAt(1);
  const number = (begin: number, radix: number) => inUtf8(Number.parseInt(written.slice(begin), radix));
  switch (written.charAt(0)) {
    case '&':
      if (second !== '#') return HTML_NAMES.get(written.slice(1).replace(';', '')) ?? '';
      return 'xX'.includes(written.charAt(2)) ? number(3, 16) : number(2, 10);
    case '%':
    case '=':
      if (second === '\r' || second === '\n') return '';
      return number(second === 'u' ? 2 : 1, 16);
    case '\\':
      if ('uUx'.includes(second)) return number(written.charAt(2) === '{' ? 3 : 2, 16);
      if (written.length > 2 && second !== '\\') return written.endsWith(' ') ? number(1, 16) : number(1, 8);
      if (second === '0') return '\0';
      return CONTROLS[second] ?? second;
    default:
      return written >= '\xc2' ? plainOf(written) : '';
  }
}

/**
 * A look-alike of ASCII becomes ASCII or nothing: `Ａ`, `𝐀` and `Á` become A, a single joiner or mark nothing.
 * Any other character stays.
 */
function plainOf(written: string): string {
  const known = PLAIN.get(written);
  if (known !== undefined) return known;
  const character = Buffer.from(written, 'latin1').toString('utf8');
  const bare = character
    .normalize('NFKD')
    .replace(/[\p{Script=Inherited}\p{Default_Ignorable_Code_Point}]/gu, '');
  const plain = /^[ -~]*$/.test(bare) ? bare : written;
  if (PLAIN.size < MOST_KNOWN) PLAIN.set(written, plain);
  return plain;
}

/** Earlier results by their bytes: a foreign text has few characters, and many of each. */
const PLAIN = new Map<string, string>();
const MOST_KNOWN = 20_000;

/** Up to U+00FF a number may mean a byte. */
function inUtf8(code: number): string {
  if (code <= 0xff) return String.fromCharCode(code);
  return code > 0x10ffff ? '' : Buffer.from(String.fromCodePoint(code)).toString('latin1');
}

/** The index of the last of the ascending numbers that is at most `most`; -1 where all are greater. */
function lastUpTo(numbers: readonly number[], most: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
