import type { SecretHit } from './body/secret-finder.ts';
import { CallFault } from './call-fault.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Bytes of the passed text that are kept, for the beginning of a string and its field's name. */
const KEPT = 1024;
/** A number at the end of a chunk is held back up to this length. */
const LONGEST_NUMBER = 64;

const NUMBER = /^-?\d[\d.eE+-]*$/;
/** Fields with values that identify things. */
const NAMES_THINGS =
  /^(?:id|guid|uuid|code|number|type|name)$|(?:[a-z](?:Id|ID|Name|Number)|_(?:id|name|number))$/i;
/** Fields where a key is expected. */
const NAMES_KEYS = /^(?:session|api|auth|access|token|client|user|request)/i;

/** Knows which places are within strings of JSON that comes in chunks. */
export interface JsonPlaces {
  /** Takes the bytes after those that were passed; hits are places in them. */
  readonly begin: (bytes: Buffer) => void;
  /** The hit with all that goes with it: a whole number, which becomes a string with quotes (`isBare`). */
  readonly widened: (hit: SecretHit) => SecretHit & { readonly isBare: boolean };
  /** Throws SECRET_PLAIN where the hit is in data rather than in an echo. */
  readonly refuseData: (hit: SecretHit) => void;
  /** The place before a number that a chunk ending at `at` would cut. */
  readonly cutBefore: (at: number) => number;
  /** The bytes before this place were passed on. */
  readonly pass: (at: number) => void;
}

export function createJsonPlaces(): JsonPlaces {
  /** The kept bytes, followed by the current ones. */
  let all: Buffer = Buffer.alloc(0);
  let kept = 0;
  /** True where `all` begins within a string. */
  let isWithin = false;
  let quotes: readonly number[] = [];

  const before = (at: number) => quotes.filter((quote) => quote < at).length;
  const isInString = (at: number) => (before(at) % 2 === 1) !== isWithin;

  /** A hit's place in its string; undefined outside of a string, or where the string does not end here. */
  function stringOf({ at, end }: SecretHit): { readonly from: number; readonly to: number } | undefined {
    const [from, to] = [quotes.findLast((quote) => quote < at), quotes.find((quote) => quote >= end)];
    return from === undefined || to === undefined ? undefined : { from, to };
  }

  function placeOf(hit: SecretHit): string | undefined {
    if (!isInString(hit.at)) {
      const { at, end } = numberAround(hit);
      return NUMBER.test(all.toString('latin1', at, end)) ? 'a number' : undefined;
    }
    const string = stringOf(hit);
    if (string === undefined) return undefined;
    if (
      all
        .toString('latin1', string.to + 1, string.to + KEPT)
        .trimStart()
        .startsWith(':')
    )
      return 'the name of a field';
    const [open, close] = quotes.slice(0, before(string.from)).slice(-2);
    if (open === undefined || close === undefined) return undefined;
    const isField = all.toString('latin1', close + 1, string.from).trim() === ':';
    const field = isField ? all.toString('latin1', open + 1, close) : '';
    return NAMES_THINGS.test(field) && !NAMES_KEYS.test(field) ? 'an id or a name' : undefined;
  }

  function numberAround(hit: SecretHit): SecretHit {
    let { at, end } = hit;
    while (at > kept && isOfNumber(all[at - 1])) at--;
    while (isOfNumber(all[end])) end++;
    return { at, end };
  }

  return {
    begin: (bytes) => {
      all = kept === 0 ? bytes : Buffer.concat([all.subarray(0, kept), bytes]);
      quotes = quotesIn(all);
    },
    widened: ({ at, end }) => {
      const hit = { at: at + kept, end: end + kept };
      const isBare = !isInString(hit.at);
      const whole = isBare ? numberAround(hit) : hit;
      return { at: whole.at - kept, end: whole.end - kept, isBare };
    },
    refuseData: ({ at, end }) => {
      const place = placeOf({ at: at + kept, end: end + kept });
      if (place === undefined) return;
      throw new CallFault('SECRET_PLAIN', `the key of the source is in ${place} of its answer`);
    },
    cutBefore: (at) => {
      let cut = at;
      while (cut > 0 && at - cut < LONGEST_NUMBER && isOfNumber(all[kept + cut - 1])) cut--;
      return cut;
    },
    pass: (at) => {
      const to = kept + at;
      let from = Math.max(0, to - KEPT);
      while (from > 0 && all[from - 1] === BACKSLASH) from--;
      isWithin = isInString(from);
      all = all.subarray(from, to);
      kept = all.length;
    },
  };
}

function quotesIn(bytes: Buffer): readonly number[] {
  const found: number[] = [];
  for (let at = bytes.indexOf(QUOTE); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0;
    while (bytes[at - slashes - 1] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) found.push(at);
  }
  return found;
}

/** True for a digit, a sign, a point and the letter of an exponent. */
function isOfNumber(byte: number | undefined): boolean {
  return byte !== undefined && '0123456789+-.eE'.includes(String.fromCharCode(byte));
}
