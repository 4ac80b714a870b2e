/** The words of a name in lower case: `continuationToken`, `x-ms-continuation`, `HASMORE_ROWS`. */
export function wordsOf(text: string): readonly string[] {
  const known = cut.get(text);
  if (known !== undefined) return known;
  const words = (text.slice(0, LONGEST_NAME).match(WORD) ?? []).flatMap((part) =>
    partsOf(part.toLowerCase()),
  );
  if (cut.size < NAMES_KEPT && text.length <= LONGEST) cut.set(text, words);
  return words;
}

/** A cache: thousands of answers have the same few names. */
const cut = new Map<string, readonly string[]>();
const NAMES_KEPT = 1000;

/** Capitals, a word, or digits: `next|Page`, `HTML|Page`, `page|2`. Letters beyond ASCII are small ones. */
const WORD = /[A-Z]+(?![a-z\u0080-\uffff])|[A-Z]?[a-z\u0080-\uffff]+|\d+/g;

/** Only the beginning of a longer name is read. */
const LONGEST_NAME = 256;
/** A longer word is not split into parts. */
const LONGEST = 40;

/** The parts of joined words, as in headers: `totalcount` → `total`, `count`. Only known words are split. */
function partsOf(word: string): readonly string[] {
  if (KNOWN.has(word) || word.length > LONGEST) return [word];
  for (let to = word.length - 2; to >= 2; to--) {
    if (!KNOWN.has(word.slice(0, to))) continue;
    const rest = partsOf(word.slice(to));
    if (rest.every((part) => KNOWN.has(part))) return [word.slice(0, to), ...rest];
  }
  return [word];
}

/** The words that may be joined. */
const KNOWN: ReadonlySet<string> = new Set(
  `additional after amount api at available batch bookmark by complete continuation continue correlation count
  current cursor data date done duration elements end entries error errors evaluated exceeded fetched finished first found from
  full has have hits href id ids incomplete index is item items iteration key last length limit link links list marker
  matched matches matching max message more next no num number object objects of offset older on page pages pagination partial path
  per position powered prev previous query rate ratelimit records record remaining request response result results resume
  resumption returned row rows scroll search self server set size skip start status success sync take time timestamp to token top total totals trace transfer
  truncated uri url version warning with`.split(/\s+/),
);

/** `x-ms-continuation` has the words of `continuation`. */
export function withoutVendor(words: readonly string[]): readonly string[] {
  if (words[0] !== 'x' || words.length === 1) return words;
  return words.slice(words[1] === 'ms' && words.length > 2 ? 2 : 1);
}
