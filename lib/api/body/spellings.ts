/** The ways to write one character of a secret, as sources of regular expressions. */
export type Spelled = readonly string[];

/** Up to four backslashes: JSON within JSON doubles them, and may do so twice. */
const BACKSLASHES = '\\\\{1,4}';

/** Characters that JSON may write with a backslash before them. */
const SHORT_ESCAPES = '"\\/';

/** HTML's names of ASCII's punctuation. @see https://html.spec.whatwg.org/multipage/named-characters.html */
const HTML_NAMES: Readonly<Record<string, string>> = {
  '!': 'excl',
  '"': 'quot',
  '#': 'num',
  $: 'dollar',
  '%': 'percnt',
  '&': 'amp',
  "'": 'apos',
  '(': 'lpar',
  ')': 'rpar',
  '*': 'ast',
  '+': 'plus',
  ',': 'comma',
  '.': 'period',
  '/': 'sol',
  ':': 'colon',
  ';': 'semi',
  '<': 'lt',
  '=': 'equals',
  '>': 'gt',
  '?': 'quest',
  '@': 'commat',
  '[': 'lsqb',
  '\\': 'bsol',
  ']': 'rsqb',
  '^': 'Hat',
  _: 'lowbar',
  '`': 'grave',
  '{': 'lcub',
  '|': 'verbar',
  '}': 'rcub',
};

/**
 * The ways in which an answer may write a character of ASCII: as it is; escaped as JSON does (`\u002B`, `\/`), also
 * within JSON that is itself a text of JSON; escaped as a URL does (`%2b`); as HTML does (`&#43;`, `&#x2B;`, `&plus;`,
 * also without the semicolon). The percent sign and the ampersand of such an escape may be escaped themselves, twice at
 * most: .NET writes `\u0026#43;`, a page within a page `&amp;#43;`.
 */
export function spelled(character: string): Spelled {
  const hex = hexOf(character);
  const name = HTML_NAMES[character];
  const short = SHORT_ESCAPES.includes(character) ? `|${literal(character)}` : '';
  return [
    literal(character),
    `${BACKSLASHES}(?:u00${hex}|x${hex}${short})`,
    `(?:%|${BACKSLASHES}u0025)(?:25){0,2}${hex}`,
    `(?:&|${BACKSLASHES}u0026)(?:amp;){0,2}(?:#0{0,4}${character.charCodeAt(0)}|#[xX]0{0,4}${hex}${name === undefined ? '' : `|${name}`});?`,
  ];
}

/** The spellings of a character in upper and lower case. */
export function spelledInAnyCase(character: string): Spelled {
  return inBothCases(character).flatMap(spelled);
}

/** Only the character itself. */
export function asWritten(character: string): Spelled {
  return [literal(character)];
}

/** Only the character itself, in upper and lower case. */
export function inAnyCase(character: string): Spelled {
  return inBothCases(character).map(literal);
}

function inBothCases(character: string): readonly string[] {
  return [...new Set([character.toLowerCase(), character.toUpperCase()])];
}

function hexOf(character: string): string {
  const digits = character.charCodeAt(0).toString(16).padStart(2, '0');
  return [...digits]
    .map((digit) => (/[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit))
    .join('');
}

function literal(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
}
