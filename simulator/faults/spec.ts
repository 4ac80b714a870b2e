import { didYouMean } from '#lib/text.ts';
import { SERVED, SERVED_NAMES } from '../kind.ts';
import { type Fault, NO_LISTINGS, type Settings } from './fault.ts';
import { FAULTS } from './table.ts';

/** Which exchanges a fault may meet: the keys that every fault knows. */
export interface Selection {
  readonly resource: string | undefined;
  readonly api: string | undefined;
  /** The first request, by number since the faults were set. */
  readonly from: number;
}

export interface FaultSpec {
  readonly fault: Fault;
  /** 0 to 1. */
  readonly rate: number;
  readonly selection: Selection;
  readonly settings: Settings;
}

const SELECTION_KEYS = ['resource', 'api', 'from'];

/**
 * Reads `500:0.05,reset:0.02@resource=screens,slow@ms=80`: name, then `:rate`, then any number of `@key=value`.
 * Throws on an unknown name, rate or key; the message lists the known ones.
 */
export function parseFaults(spec: string): readonly FaultSpec[] {
  return spec
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseFault);
}

function parseFault(text: string): FaultSpec {
  const [head = '', ...pairs] = text.split('@');
  const [name = '', rateText] = head.split(':');
  const fault = FAULTS.get(name);
  if (fault === undefined)
    throw new Error(`fault '${name}' is unknown; ${knownAre(name, [...FAULTS.keys()])}`);
  const rate = rateText === undefined ? fault.rate : Number(rateText);
  if (!(rate >= 0 && rate <= 1))
    throw new Error(`fault '${text}': a rate is a number from 0 to 1, not '${rateText}'.`);
  const given = new Map(pairs.map((pair) => splitPair(text, pair)));
  const own = Object.entries(fault.keys ?? {});
  const known = [...own.map(([key]) => key), ...SELECTION_KEYS];
  for (const key of given.keys())
    if (!known.includes(key))
      throw new Error(`fault '${text}': '${key}' is unknown; '${name}' knows ${known.join(', ')}.`);
  const number = (key: string, fallback: number) => numberOf(text, { key, value: given.get(key), fallback });
  const word = (key: string, words: readonly string[]) => wordOf(text, { key, value: given.get(key), words });
  // Each value is of the kind of its key's default, which the type of the entries does not say.
  const settings = Object.fromEntries(
    own.map(([key, fallback]) => [
      key,
      typeof fallback === 'number'
        ? number(key, fallback)
        : (word(key, Object.keys(NO_LISTINGS)) ?? fallback),
    ]),
  ) as unknown as Settings;
  const selection = {
    resource: word('resource', SERVED_NAMES),
    api: word(
      'api',
      SERVED.map(({ kind }) => kind),
    ),
    from: number('from', 1),
  };
  return { fault, rate, settings, selection };
}

interface Given {
  readonly key: string;
  readonly value: string | undefined;
}

/** A word that names nothing would let the fault meet nothing, and say nothing. */
function wordOf(
  text: string,
  { key, value, words }: Given & { readonly words: readonly string[] },
): string | undefined {
  if (value === undefined || words.includes(value)) return value;
  throw new Error(`fault '${text}': ${key} '${value}' is unknown; ${knownAre(value, [...new Set(words)])}`);
}

function knownAre(word: string, known: readonly string[]): string {
  return didYouMean(word, { known, otherwise: `known are ${known.join(', ')}` });
}

function splitPair(text: string, pair: string): [string, string] {
  const at = pair.indexOf('=');
  if (at < 1) throw new Error(`fault '${text}': '@${pair}' is not of the form @key=value.`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}

function numberOf(text: string, { key, value, fallback }: Given & { readonly fallback: number }): number {
  if (value === undefined) return fallback;
  if (value === '' || Number.isNaN(Number(value)))
    throw new Error(`fault '${text}': ${key} is a number, not '${value}'.`);
  return Number(value);
}
