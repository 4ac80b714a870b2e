import { didYouMean } from '#lib/text.ts';
import { SERVED, SERVED_NAMES } from '../kind.ts';
import type { Fault, Settings } from './fault.ts';
import { FAULTS } from './table.ts';

/** A fault, and the exchanges that may meet it: the keys that every fault knows. */
export interface FaultSpec {
  readonly fault: Fault;
  /** 0 to 1. */
  readonly rate: number;
  readonly resource: string | undefined;
  readonly api: string | undefined;
  /** The first request, by number since the faults were set. */
  readonly from: number;
  readonly settings: Settings;
}

/** The words that a key may be. One that names nothing would let the fault meet nothing, and say nothing. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  resource: SERVED_NAMES,
  api: [...new Set(SERVED.map(({ kind }) => kind))],
};

/**
 * Reads `500:0.05,reset:0.02@resource=screens,slow@ms=80`: name, then `:rate`, then any number of `@key=value`.
 * Throws on an unknown name, rate or key; the message lists the known ones.
 */
export function parseFaults(spec: string): readonly FaultSpec[] {
  const parts = spec.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '').map(parseFault);
}

function parseFault(text: string): FaultSpec {
  const refuse = (why: string) => new Error(`fault '${text}': ${why}`);
  const [head = '', ...pairs] = text.split('@');
  const [name = '', rateText] = head.split(':');
  const fault = FAULTS.get(name);
  if (fault === undefined)
    throw new Error(`fault '${name}' is unknown; ${knownAre(name, [...FAULTS.keys()])}`);
  const rate = rateText === undefined ? (fault.rate ?? 0.02) : Number(rateText);
  if (!(rate >= 0 && rate <= 1)) throw refuse(`a rate is a number from 0 to 1, not '${rateText}'.`);
  const numbers: Record<string, number> = { ...fault.keys, from: 1 };
  const words: Record<string, string> = {};
  for (const pair of pairs) {
    const [, key = '', value] = /^([^=]+)=(.*)$/.exec(pair) ?? [];
    if (value === undefined) throw refuse(`'@${pair}' is not of the form @key=value.`);
    const known = WORDS[key];
    if (known?.includes(value)) words[key] = value;
    else if (known !== undefined) throw refuse(`${key} '${value}' is unknown; ${knownAre(value, known)}`);
    else if (!Object.hasOwn(numbers, key))
      throw refuse(
        `'${key}' is unknown; '${name}' knows ${[...Object.keys(fault.keys ?? {}), ...Object.keys(WORDS), 'from'].join(', ')}.`,
      );
    else if (value === '' || Number.isNaN(Number(value))) throw refuse(`${key} is a number, not '${value}'.`);
    else numbers[key] = Number(value);
  }
  const { from = 1, status = 0, ms = 0 } = numbers;
  return { fault, rate, resource: words['resource'], api: words['api'], from, settings: { status, ms } };
}

function knownAre(word: string, known: readonly string[]): string {
  return didYouMean(word, { known, otherwise: `known are ${known.join(', ')}` });
}
