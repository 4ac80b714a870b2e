import { hashText } from '../dice.ts';
import type { Json, JsonObject } from '../json.ts';
import { token } from './values.ts';

/** The place of a record, which decides what is wrong with it. */
export interface Position {
  readonly day: number;
  readonly parentId: number;
  /** From 0 within the listing. */
  readonly index: number;
  readonly last: boolean;
}

/** The keys that every record gets in addition to its own; a rarer key is in one record of twenty. */
export function hostileFields(at: Position): JsonObject {
  const { index } = at;
  const garbage = index % 200 === 150;
  return {
    Mixed: MIXED[index % MIXED.length] ?? null,
    PerParent: at.parentId % 2 === 0 ? at.parentId : `of ${at.parentId}`,
    PerPage: Math.floor(index / 50) % 2 === 0 ? index : `row ${index}`,
    PerDay: at.day % 2 === 0 ? at.day : `day ${at.day}`,
    WholeThenFraction: at.day === 0 ? 100 + index : 100 + index + 0.25,
    AlwaysNull: null,
    BigId: token(String(9_007_199_254_740_993n + BigInt(index) * 2n)),
    Counter: garbage ? 'n/a' : index * 3,
    Seen: garbage ? 'gestern' : `2026-11-${String(10 + (index % 10))}T08:00:00.123Z`,
    ...RARE[index % RARE.length]?.(index),
    ...(index === 11 ? { LongText: LONG_TEXT } : {}),
    ...(at.last ? { OnlyAtTheEnd: 'x' } : {}),
  };
}

const MIXED: readonly Json[] = [17, 'seventeen', true, 1.5, null, { a: 1 }, [1, 'two']];

const LONG_TEXT = `${'Zeile mit ümlaut, "quote" und \\ \n'.repeat(3100)}Ende`;

const RARE: readonly ((index: number) => JsonObject)[] = [
  () => ({ Huge: token('1e400'), Tiny: token('1e-400') }),
  () => ({ Exact: token('1234567890123456789012345678.123456789012') }),
  (index) => ({ Beyond: token(String(18_446_744_073_709_551_617n + BigInt(index))) }),
  () => ({ Text: 'first\nsecond\r\n\t"quoted" \\ back\u2028slash' }),
  () => ({ Text: 'a\u0000b' }),
  () => ({ Text: 'half a pair: \ud83d', Other: '\udc00' }),
  () => ({ Text: "=cmd|' /C calc'!A0", Other: '+1', 'Third Text': '@SUM(1)' }),
  () => ({ Text: 'שלום \u202Eabc\u202C 👩‍👩‍👧‍👦 \u{1F1E9}\u{1F1EA}' }),
  () => ({ Deep: nested(50) }),
  (index) => ({ Labels: labels(index) }),
  () => ({
    '': 'empty key',
    '1st': 1,
    select: 'reserved',
    'order by': 2,
    'say "hi"': 3,
    'x; DROP TABLE players; --': 4,
    'Größe des Geräts': 5,
    'kebab-key': 6,
    'dotted.key': 7,
    'two  spaces': 8,
  }),
  () => ({ URLPath: '/a', urlPath: '/b', URL_PATH: '/c', NAME: 'capitals', nAME: 'small first' }),
  () => ({
    Signed: token('-0.0'),
    Scientific: token('0.1E1'),
    Small: token('1E-10'),
    Trailing: token('1.50'),
  }),
  () => ({ Text: '', Blank: ' ', Digits: '00123', LongDigits: '123456789012345678901234567890' }),
  () => ({ Strange: '2026-02-30T00:00:00Z', StrangeTime: '2026-11-20T24:00:00Z' }),
  () => ({ Flag: 'TRUE', Answer: 'yes' }),
  () => ({ [TWICE]: 'second' }),
  () => ({ 'a.b': 1, a: { b: 2 }, a_b: 3 }),
  () => ({ ['__proto__']: 1, constructor: 'text', toString: null }),
  () => ({ export_run_id: 'mine', record_key: 7, player_id: 'not the parent' }),
];

/** A key that its object has twice, see `textWithTwice`. */
const TWICE = 'Twice';

/** The record as JSON with a key twice, which JSON.stringify cannot write: the first one is put before the others. */
export function textWithTwice(record: JsonObject): string {
  const text = JSON.stringify(record);
  return TWICE in record ? `{"${TWICE}":"first",${text.slice(1)}` : text;
}

function nested(depth: number): JsonObject {
  let value: JsonObject = { bottom: depth };
  for (let i = 0; i < depth; i++) value = { down: value };
  return value;
}

/** Three of 500 keys. */
function labels(index: number): JsonObject {
  return Object.fromEntries([0, 1, 2].map((i) => [`label_${hashText(i, 'label', index) % 500}`, index]));
}
