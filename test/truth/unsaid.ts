import { dice, hash } from '#simulator/dice.ts';

const HALF_DAY_MS = 43_200_000;

/** What a record may leave out in a run. */
type Unsaid = 'bytes of a transfer' | 'licences left' | OfDevices | OfAccounts;
type OfDevices = 'last access of a player' | 'state of a screen';
type OfAccounts = 'size of a slot' | 'what a storage reserves';

const SALTS: Readonly<Record<Unsaid, number>> = {
  'bytes of a transfer': 21,
  'licences left': 22,
  'last access of a player': 23,
  'state of a screen': 26,
  'size of a slot': 24,
  'what a storage reserves': 25,
};

/** Whether a record leaves this out: in two fifths of the worlds, for half of its records, in some halves of days. */
export function isUnsaid(what: Unsaid, seed: number, record: number | string, at: number): boolean {
  const salt = SALTS[what];
  if (!dice(hash(seed, salt)).chance(0.4)) return false;
  const id = [...String(record)].reduce((sum, letter) => 31 * sum + (letter.codePointAt(0) ?? 0), 7);
  if (!dice(hash(seed, salt + id)).chance(0.5)) return false;
  return dice(hash(seed + id, Math.floor(at / HALF_DAY_MS))).chance(0.4);
}
