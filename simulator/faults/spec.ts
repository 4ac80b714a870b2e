import { didYouMean } from '#lib/text.ts';
import { SERVED, SERVED_NAMES } from '../kind.ts';
import type { Fault, Keys, Settings } from './fault.ts';
import { FAULTS } from './table.ts';

/** Which exchanges a fault may meet: the keys that every fault knows. */
export interface Selection {
  /** Names of resources, joined by `+`. */
  readonly resource: readonly string[] | undefined;
  readonly api: string | undefined;
  /** First and last request, by number since the faults were set. */
  readonly from: number;
  readonly until: number;
  /** Only the first attempts of each target, so many. */
  readonly attempts: number;
  readonly day: number | undefined;
}

export interface FaultSpec {
  readonly fault: Fault;
  /** 0 to 1. */
  readonly rate: number;
  readonly selection: Selection;
  readonly settings: Settings;
}

const SELECTION_KEYS = ['resource', 'api', 'from', 'until', 'attempts', 'day'];

/**
 * Reads `500:0.05,truncate:0.02@resource=screens,429@after=none`: name, then `:rate`, then any number of `@key=value`.
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
  const own: Keys = fault.keys ?? {};
  for (const key of given.keys()) {
    if (!(key in own) && !SELECTION_KEYS.includes(key)) {
      const known = [...Object.keys(own), ...SELECTION_KEYS].join(', ');
      throw new Error(`fault '${text}': '${key}' is unknown; '${name}' knows ${known}.`);
    }
  }
  // Each value is of the kind of its key's default, which the type of the entries does not say.
  const settings = Object.fromEntries(
    Object.entries(own).map(([key, fallback]) => [key, settingOf(text, given, key, fallback)]),
  ) as Settings;
  return { fault, rate, settings, selection: selectionOf(text, given) };
}

function settingOf(
  text: string,
  given: ReadonlyMap<string, string>,
  key: string,
  fallback: number | string | readonly string[],
): number | string {
  if (typeof fallback === 'number') return numberOf(text, given, key, fallback);
  const value = given.get(key);
  if (typeof fallback === 'string') return value ?? fallback;
  if (value !== undefined && !fallback.includes(value)) {
    throw new Error(`fault '${text}': ${key} is one of ${fallback.join(', ')}, not '${value}'.`);
  }
  return value ?? fallback[0] ?? '';
}

function selectionOf(text: string, given: ReadonlyMap<string, string>): Selection {
  return {
    resource: wordsOf(text, {
      key: 'resource',
      given: given.get('resource')?.split('+'),
      known: SERVED_NAMES,
    }),
    api: wordsOf(text, {
      key: 'api',
      given: given.has('api') ? [given.get('api') ?? ''] : undefined,
      known: SERVED_APIS,
    })?.[0],
    from: numberOf(text, given, 'from', 1),
    until: numberOf(text, given, 'until', Infinity),
    attempts: numberOf(text, given, 'attempts', Infinity),
    day: given.has('day') ? numberOf(text, given, 'day', 0) : undefined,
  };
}

const SERVED_APIS = [...new Set(SERVED.map(({ kind }) => kind))];

/** A word that names nothing would let the fault meet nothing, and say nothing. */
function wordsOf(
  text: string,
  options: {
    readonly key: string;
    readonly given: readonly string[] | undefined;
    readonly known: readonly string[];
  },
): readonly string[] | undefined {
  const { key, given, known } = options;
  const unknown = given?.find((word) => !known.includes(word));
  if (unknown === undefined) return given;
  throw new Error(`fault '${text}': ${key} '${unknown}' is unknown; ${knownAre(unknown, known)}`);
}

function knownAre(word: string, known: readonly string[]): string {
  return didYouMean(word, { known, otherwise: `known are ${known.join(', ')}` });
}

function splitPair(text: string, pair: string): [string, string] {
  const at = pair.indexOf('=');
  if (at < 1) throw new Error(`fault '${text}': '@${pair}' is not of the form @key=value.`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}

function numberOf(text: string, given: ReadonlyMap<string, string>, key: string, fallback: number): number {
  const value = given.get(key);
  if (value === undefined) return fallback;
  const number = Number(value);
  if (value === '' || Number.isNaN(number))
    throw new Error(`fault '${text}': ${key} is a number, not '${value}'.`);
  return number;
}
