import fc from 'fast-check';
import { inventedWord } from './words.ts';

type Day = 0 | 1;

/** A known name with one word on the first day, and another word on the second. */
export interface Turns {
  readonly name: string;
  readonly values: readonly [unknown, unknown];
  /** `some`: the second day has fewer records for it; `all`: it means nothing. */
  readonly keeps: 'some' | 'all';
}

/** In place of a name where it is the place of the records that turns; the message has these words. */
export const MOVED = 'and were at';

/** Letters alone. */
const word = inventedWord.map((each) => each.replaceAll(/[^a-z]/gi, ''));

const anyWordTurns: fc.Arbitrary<Turns> = fc.record({
  name: fc.constantFrom(
    'mode',
    'view',
    'scope',
    'stage',
    'role',
    'environment',
    'category',
    'server',
    'kind',
  ),
  values: fc.oneof(
    fc.tuple(word, word).filter(([one, two]) => one.toLowerCase() !== two.toLowerCase()),
    fc.constantFrom<[unknown, unknown]>(
      [false, true],
      ['full', 'delta'],
      ['all', 'changed'],
      ['primary', 'replica-2'],
    ),
  ),
  keeps: fc.constantFrom<'some' | 'all'>('some', 'some', 'all'),
});

/** How much of a whole has answered; its name speaks of nothing that is known. */
const anyShareTurns: fc.Arbitrary<Turns> = fc.record({
  name: word,
  values: fc.constantFrom<[unknown, unknown]>([1, 0.91], [1711, 1705], ['100 %', '94 %']),
  keeps: fc.constant('some'),
});

/** Which parts of a whole have answered. */
const anyListTurns: fc.Arbitrary<Turns> = fc.record({
  name: word,
  values: fc.tuple(word, word).map(([one, two]) => [[one, two], [one]] as const),
  keeps: fc.constant('some'),
});

/** What only the second day has. */
const anyNews: fc.Arbitrary<Turns> = fc.record({
  name: word,
  values: fc.constantFrom<[unknown, unknown]>([undefined, 16], [undefined, '7'], [undefined, false]),
  keeps: fc.constant('some'),
});

/** The second day has the records as the whole answer. */
const anyMove: fc.Arbitrary<Turns> = fc.constant({
  name: MOVED,
  values: [undefined, undefined],
  keeps: 'some',
});

export const anyTurns: fc.Arbitrary<Turns> = fc.oneof(
  { weight: 3, arbitrary: anyWordTurns },
  { weight: 1, arbitrary: anyShareTurns },
  { weight: 1, arbitrary: anyListTurns },
  { weight: 1, arbitrary: anyNews },
  { weight: 1, arbitrary: anyMove },
);

/** How a server answers behind its second page, whatever more it has. */
export interface Windowed {
  /**
   * Of numbered pages. `member`: an empty page has a member of its own; `bare`: it is a list in place of the object around it;
   * `bound`: each page says how many records there are at most. Of linked ones, `last`: the second page links to the last one alone.
   */
  readonly form: 'member' | 'bare' | 'bound' | 'last';
  readonly name: string;
  readonly value: unknown;
}

const anyBehind: fc.Arbitrary<Windowed> = fc.record({
  form: fc.constantFrom<Windowed['form']>('member', 'member', 'bare'),
  name: fc.oneof(word, fc.constantFrom('code', 'reason', 'limited')),
  value: fc.oneof(fc.constant(true), fc.constantFrom('E_WINDOW', 'R-17'), word, fc.constant(40)),
});

export const anyWindowed: fc.Arbitrary<Windowed> = fc.oneof(
  { weight: 3, arbitrary: anyBehind },
  {
    weight: 1,
    arbitrary: fc.record({
      form: fc.constant('bound' as const),
      name: fc.constantFrom('maxOffset', 'max_result_window', 'rowLimit', 'max_items'),
      value: fc.constant(null),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      form: fc.constant('last' as const),
      name: fc.constant('link.last'),
      value: fc.constant(null),
    }),
  },
);

/** An error among the records. */
export interface Odd {
  /** `entry`: in place of a record; `field`: a field that most have as null; `absent`: one that most lack. */
  readonly form: 'entry' | 'field' | 'absent';
  readonly name: string;
  readonly value: unknown;
  readonly day: Day;
}

export const anyOdd: fc.Arbitrary<Odd> = fc.record({
  form: fc.constantFrom<Odd['form']>('entry', 'entry', 'field', 'absent'),
  name: fc.constantFrom('error', 'Error', 'lastError', 'errorMessage', 'exception', 'fault'),
  value: fc.oneof(
    fc.tuple(inventedWord, inventedWord).map((words) => words.join(' ')),
    fc.record({ code: fc.integer({ min: 1, max: 99 }), message: inventedWord }),
  ),
  day: fc.constantFrom<Day>(0, 1),
});

const isOdd = (number: number) => number % 4 === 2;

/** What a record has of it as a field. */
export function oddField(odd: Odd | null, number: number): Readonly<Record<string, unknown>> {
  if (odd === null || odd.form === 'entry') return {};
  if (isOdd(number)) return { [odd.name]: odd.value };
  return odd.form === 'field' ? { [odd.name]: null } : {};
}

/** What replaces a record; null if the record itself is there. */
export function oddEntry(
  odd: Odd | null,
  { day, number }: { readonly day: Day; readonly number: number },
): Readonly<Record<string, unknown>> | null {
  return isOddShort(odd, day) && odd !== null && isOdd(number) ? { [odd.name]: odd.value } : null;
}

/** Whether errors are in place of records on a day. */
export function isOddShort(odd: Odd | null, day: Day): boolean {
  return odd !== null && odd.form === 'entry' && day >= odd.day;
}

/** Whether records are missing on a day for what a word has turned to. */
export function isTurnedShort(turns: Turns | null, day: Day): boolean {
  return turns !== null && turns.keeps === 'some' && day === 1;
}
