import fc from 'fast-check';
import { headerName, inventedWord } from './words.ts';

/** What an answer tells of itself: a text, a list or a state, of which nobody knows the words. */
export interface Told {
  readonly name: string;
  readonly form: 'list' | 'ids' | 'sentence' | 'word' | 'status' | 'flag' | 'filter' | 'bound' | 'share';
  readonly value: unknown;
  /** The first day that has it. */
  readonly day: 0 | 1;
  /** `some`: so it tells that records are missing; `all`: it means nothing. */
  readonly keeps: 'some' | 'all';
}

const words = fc.array(inventedWord, { minLength: 2, maxLength: 6 });

const forms: fc.Arbitrary<Pick<Told, 'name' | 'form' | 'value'>> = fc.oneof(
  fc.record({
    name: fc.oneof(inventedWord, fc.constantFrom('message', 'notice', 'info', 'reason', 'remarks', 'hint')),
    form: fc.constant('sentence' as const),
    value: fc.tuple(words, fc.constantFrom('', ' 3', ' 37')).map(([each, end]) => each.join(' ') + end),
  }),
  fc.record({
    name: fc.oneof(inventedWord, fc.constantFrom('incomplete', 'skipped', 'remaining', 'notices')),
    form: fc.constant('list' as const),
    value: fc.array(inventedWord, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    name: fc.oneof(
      inventedWord.map((word) => `${word}Ids`),
      fc.constantFrom('furtherIds', 'remaining', 'ids'),
    ),
    form: fc.constant('ids' as const),
    value: fc.array(fc.integer({ min: 40, max: 90 }), { minLength: 1, maxLength: 9 }),
  }),
  fc.record({
    name: fc.constantFrom('status', 'state', 'phase', 'message', 'reason'),
    form: fc.constant('word' as const),
    value: inventedWord,
  }),
  fc.record({
    name: fc.constantFrom('status', 'statusCode', 'code'),
    form: fc.constant('status' as const),
    value: fc.constantFrom(202, 206, 207, 17),
  }),
  fc.record({ name: inventedWord, form: fc.constant('flag' as const), value: fc.constant(true) }),
  fc
    .tuple(inventedWord, inventedWord)
    .chain(([one, two]) =>
      fc.constantFrom<readonly [string, unknown]>(
        ['filtered', true],
        ['filteredOut', 15],
        ['excludedByFilter', 3],
        ['filters', [`${one}:${two}`]],
        ['activeFilters', [one]],
        ['defaultFilter', one],
        ['query', { [one]: two }],
        ['params', { [one]: false }],
        ['criteria', { status: one }],
        ['since', '2026-11-20T00:00:00Z'],
      ),
    )
    .map(([name, value]) => ({ name, form: 'filter' as const, value })),
  fc.record({
    name: fc.constantFrom('totalFound', 'matchedTotal', 'estimatedHits', 'recordCount'),
    form: fc.constant('bound' as const),
    value: fc.constantFrom('40+', '>40', '≥40', '~40', 'more than 40', '40 or more'),
  }),
);

const shares: typeof forms = fc.record({
  name: fc.oneof(inventedWord, fc.constantFrom('sampleRate', 'completeness', 'loaded')),
  form: fc.constant('share' as const),
  value: fc.constantFrom(0.75, 0.999, '0.5', '72%', '72,5 %', '.4'),
});

export const anyTold: fc.Arbitrary<Told> = fc
  .tuple(
    fc.oneof({ weight: 8, arbitrary: forms }, { weight: 1, arbitrary: shares }),
    fc.constantFrom<0 | 1>(0, 1),
    fc.constantFrom<'some' | 'all'>('some', 'some', 'all'),
  )
  .map(([told, day, keeps]) => ({ ...told, day, keeps }));

/** Whether records are missing on a day, and the answer tells so. */
export function isToldShort(told: Told | null, day: 0 | 1): boolean {
  return told !== null && told.keeps === 'some' && day >= told.day;
}

/** The name by which a message speaks of what was told: a member's, or a header's; null where it does not. */
export function namesTold(told: Told | null, message: string): string | null {
  if (told === null) return null;
  const names = [headerName(told.name).toLowerCase(), told.name];
  return names.find((name) => message.includes(name)) ?? null;
}
