import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnName } from '#lib/schema/columns/column-name.ts';
import { decideColumn } from '#lib/schema/columns/decide-column.ts';
import type { ValueClass } from '#lib/schema/columns/value-classes.ts';

function decided(key: string, counts: Partial<Record<ValueClass, number>>) {
  const records = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const { type, questions } = decideColumn({
    table: 'players',
    name: columnName([key]),
    profiles: { berlin: { records, counts } },
  });
  return { type, asks: questions.map(({ code }) => code) };
}
describe('three numbers with dots between them', () => {
  it.each([
    ['Version', 'varchar'],
    ['FirmwareVersion', 'varchar'],
    ['last_version', 'varchar'],
    ['Valid', 'date'],
    ['CreatedAt', 'date'],
    ['TicketCreated', 'date'],
  ])('%s', (key, type) => {
    expect(decided(key, { germanDate: 3 })).toEqual({ type, asks: [] });
  });

  it('with slashes: a version asks for no order of day and month', () => {
    expect(decided('Version', { slashDate: 3 })).toEqual({ type: 'varchar', asks: [] });
    expect(decided('Due', { slashDate: 3 })).toEqual({ type: 'varchar', asks: ['DAY_ORDER_UNKNOWN'] });
  });
});

/** The words as the design and the issue have them, written down apart from lib. */
const TIMES =
  'date time timestamp at since until from last created modified updated changed expired expires expiry check access'.split(
    ' ',
  );
const OTHERS = 'size bytes count sum number id phone ticket version'.split(' ');
/** Words that contain others, or are near to them, and say nothing. */
const NEITHER = 'player dated timer cat lasting counter resume idle grid phonebook lobby'.split(' ');

const STYLES: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.join('_'),
  (words) => words.map(capital).join(''),
  (words) => words.map((word, index) => (index === 0 ? word : capital(word))).join(''),
  (words) => words.join('-'),
  (words) => words.join('.'),
  (words) => words.join('_').toUpperCase(),
];

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

it('in any name a word of something else beats a word of time, however the name is written', () => {
  const word = fc.oneof(fc.constantFrom(...TIMES), fc.constantFrom(...OTHERS), fc.constantFrom(...NEITHER));
  const names = fc.tuple(fc.array(word, { minLength: 1, maxLength: 5 }), fc.constantFrom(...STYLES));
  const property = fc.property(names, fc.constantFrom('seconds', 'milliseconds'), ([words, style], epoch) => {
    const { type, asks } = decided(style(words), { [epoch]: 5 });
    const hasOther = words.some((each) => OTHERS.includes(each));
    const hasTime = words.some((each) => TIMES.includes(each));
    expect(type).toBe(hasTime && !hasOther ? 'timestamp' : 'bigint');
    // Only where a time is what the name ends in, the operator is asked.
    expect(asks).toEqual(hasOther && TIMES.includes(words.at(-1) ?? '') ? ['EPOCH_UNCERTAIN'] : []);
  });
  fc.assert(property, { numRuns: 2000 });
});
