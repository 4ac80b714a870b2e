import type { Trait } from '../../schema/columns/sampled.ts';
import {
  type Change,
  type Compared,
  MANY,
  mostFrequent,
  NEARLY_ALL,
  type Pair,
  type Step,
} from './compared.ts';
import {
  areDifferentlyCased,
  formIn,
  isVersion,
  looseForm,
  momentOf,
  traitKind,
  wordOf,
} from './value-traits.ts';

/** The ways in which a server may say the same otherwise. The first that fits is told. */
const STEPS: readonly ((compared: Compared) => Step | undefined)[] = [
  kindStep,
  numbersStep,
  timesStep,
  caseStep,
  formStep,
  wordStep,
];

/**
 * What nearly all records of a column did since the run before, if they all did the same: no event of a day does that.
 * One rule fits all columns, because it ignores what a value is about.
 */
export function meaningChange(compared: Compared, date: string): Change | undefined {
  const steps = STEPS.flatMap((step) => step(compared) ?? []);
  const step = steps.find(({ of, changed, share = NEARLY_ALL }) => of >= MANY && changed >= share * of);
  if (step === undefined) return undefined;
  const { of, changed, share: _, now, before, ...change } = step;
  const since = before === undefined ? `before ${date}` : `; before ${date} they were ${before}`;
  const says = `of ${of} values that were compared, ${changed} are ${now}${before === undefined ? ' ' : ''}${since}`;
  return { ...change, says };
}

/** Values of one kind have become values of another. */
function kindStep({ pairs }: Compared): Step | undefined {
  const [was, is] = [
    mostFrequent(pairs.map((pair) => traitKind(pair.was))),
    mostFrequent(pairs.map((pair) => traitKind(pair.is))),
  ];
  if (was === undefined || is === undefined || was === is) return undefined;
  const changed = pairs.filter((pair) => traitKind(pair.was) === was && traitKind(pair.is) === is);
  const now = `${is}${usualForm(changed.map((pair) => pair.is))}`;
  const before = `${was}${usualForm(changed.map((pair) => pair.was))}`;
  return { kind: 'type', of: pairs.length, changed: changed.length, was, is, now, before };
}

/** A column with more ways to write a value has no form. */
const MOST_FORMS = 4;

/** Texts that hardly two records share differ in upper and lower case alone. */
function caseStep({ pairs }: Compared): Step {
  const changed = pairs.filter(({ was, is }) => areDifferentlyCased(was, is)).length;
  const now = 'in other upper and lower case than';
  return { kind: 'format', of: pairs.length, changed, was: 'letters', is: 'letters', now };
}

/** Texts are written in a way in which none was before. A text or version that all share may become another. */
function formStep({ pairs }: Compared): Step | undefined {
  const { before, now, changed } = readBoth(pairs, (trait) => {
    const form = formIn(trait);
    return form === undefined ? undefined : looseForm(form);
  });
  const isOne = new Set(pairs.map(({ was }) => was)).size === 1;
  const areVersions = pairs.every(({ was, is }) => isVersion(was) && isVersion(is));
  if (isOne || areVersions || before.length > MOST_FORMS || now.length > MOST_FORMS) return undefined;
  return {
    ...{ kind: 'format', of: pairs.length, changed: changed.length },
    ...{ was: before.join(' '), is: now.join(' ') },
    now: `written${usualForm(pairs.map(({ is }) => is))}`,
    before: `written${usualForm(pairs.map(({ was }) => was))}`,
  };
}

/** Each word has become one other word that none was before. A word that all share, such as a state, may change. */
function wordStep({ pairs }: Compared): Step | undefined {
  const { before, now, changed } = readBoth(pairs, wordOf);
  const ways = new Set(changed.map((way) => JSON.stringify(way)));
  if (before.length < 2 || ways.size !== before.length || ways.size !== now.length) return undefined;
  const [was, is] = [before, now].map((words) => words.map((word) => JSON.stringify(word)).join(', '));
  if (was === undefined || is === undefined) return undefined;
  return {
    ...{ kind: 'words', of: pairs.length, changed: changed.length, was, is },
    ...{ now: `other words: ${is}`, before: was },
  };
}

/** What the texts of both runs are by a reading, each once, and the pairs with a text that none was before. */
function readBoth(pairs: readonly Pair[], read: (trait: Trait) => string | undefined) {
  const both = pairs.flatMap((pair) => {
    const [was, is] = [read(pair.was), read(pair.is)];
    return was === undefined || is === undefined ? [] : [{ was, is }];
  });
  const before = new Set(both.map(({ was }) => was));
  const now = new Set(both.map(({ is }) => is));
  return {
    before: [...before].sort(),
    now: [...now].sort(),
    changed: both.filter(({ is }) => !before.has(is)),
  };
}

/** The usual form of texts, for a message: ` like 9999-99-99x99:99:99x`. Empty where they are not texts. */
function usualForm(traits: readonly Trait[]): string {
  const form = mostFrequent(traits.flatMap((each) => formIn(each) ?? []));
  return form === undefined ? '' : ` like ${form}`;
}

const MINUTE = 60;
const QUARTER = 15 * MINUTE;
/** No two zones are further apart. */
const MOST = 14 * 60 * MINUTE;
/** A time this near to its run, such as a last contact, moves with the clock. */
const LIVE = 40 * MINUTE;
/** It may move by so much less or more than the clock. */
const LOOSE = 20 * MINUTE;

/**
 * Times have shifted by the same quarters of an hour. A fixed time must have shifted exactly, to where no event of today
 * can have moved it. A time that moves with the clock must have shifted against it.
 */
function timesStep({ pairs, at, known }: Compared): Step | undefined {
  const times = pairs.flatMap((pair) => {
    const [was, is] = [momentOf(pair.was), momentOf(pair.is)];
    return was === undefined || is === undefined ? [] : [{ was, is, by: is - was }];
  });
  // One time that all records share may be set again, such as that of a maintenance.
  if (new Set(times.map(({ was }) => was)).size === 1) return undefined;
  const fixed = times.filter(
    ({ was, is, by }) =>
      by !== 0 && by % QUARTER === 0 && Math.abs(by) <= MOST && (by < 0 || is <= at.was || was > at.is),
  );
  const exact = mostFrequent(fixed.map(({ by }) => by)) ?? 0;
  const shifted = fixed.filter(({ by }) => by === exact).length;
  // Events of a day may have moved the others.
  if (2 * shifted >= times.length) return { ...zoneStep(exact, shifted, times.length), share: 0.5 };
  // What has shifted may shift back.
  const ahead = known?.kind === 'zone' ? (known.by ?? 0) : 0;
  // A time that stands still says that nobody was there.
  const live = times
    .filter(({ was, by }) => Math.abs(was - at.was - ahead) <= LIVE && Math.abs(by) > LOOSE)
    .map(({ by }) => by - (at.is - at.was))
    .sort((a, b) => a - b);
  const middle = live[Math.floor(live.length / 2)] ?? 0;
  const by = Math.round(middle / (2 * QUARTER)) * 2 * QUARTER;
  const moved = live.filter((each) => Math.abs(each - by) <= LOOSE).length;
  const others = by === exact ? shifted : 0;
  // Players that fall silent look like an earlier zone, unless fixed times moved too.
  const isSure = by > 0 || ahead !== 0 || others > 0;
  return isSure && by !== 0 && Math.abs(by) <= MOST ? zoneStep(by, moved + others, times.length) : undefined;
}

function zoneStep(by: number, changed: number, of: number): Step {
  const now = `${Math.abs(by) / 3600} h ${by > 0 ? 'later' : 'earlier'} than`;
  return { kind: 'zone', by, of, changed, now };
}

/** Ratios of two units that somebody also chooses who sets a number again. */
const CHOSEN = [10, 100];
/** The usual ratios of two units: time, thousands and bytes. */
const FACTORS = [60, 3600, 86_400, ...[1, 2, 3, 4].flatMap((power) => [1000 ** power, 1024 ** power])];
/** Numbers may also grow or shrink by a tenth in a day. */
const NEAR = 1.1;

/** Numbers have changed by the factor of another unit, or fractions have become percent, or the reverse. */
function numbersStep({ pairs }: Compared): Step | undefined {
  const numbers = pairs.flatMap(({ was, is }) =>
    typeof was === 'number' && typeof is === 'number' && was * is !== 0 ? [{ was, is, by: is / was }] : [],
  );
  const middle = numbers.map(({ by }) => by).toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
  if (middle === undefined) return undefined;
  const isShared = new Set(numbers.map(({ was }) => was)).size === 1;
  const distance = (one: number, other: number) => Math.abs(Math.log(one / other));
  const [factor = 1] = [...FACTORS, ...(isShared ? [] : CHOSEN)]
    .flatMap((each) => [each, 1 / each])
    .toSorted((a, b) => distance(middle, a) - distance(middle, b));
  const same = numbers.filter(({ by }) => distance(by, factor) <= Math.log(NEAR));
  if (same.length >= NEARLY_ALL * numbers.length) {
    const size = factor > 1 ? `${factor} times as large as` : `${Math.round(1 / factor)} times smaller than`;
    return { kind: 'unit', by: factor, of: numbers.length, changed: same.length, now: `about ${size}` };
  }
  const [was, is] = [rangeOf(numbers.map((each) => each.was)), rangeOf(numbers.map((each) => each.is))];
  const by = was === 1 ? 100 : 0.01;
  // A load that rises above 1 is no percentage.
  if (was === undefined || is === undefined || was === is || distance(middle, by) > Math.log(3))
    return undefined;
  return {
    ...{ kind: 'unit', by, of: numbers.length, changed: numbers.length },
    ...{ now: `from 0 to ${is}`, before: `from 0 to ${was}` },
  };
}

/** 1 for fractions, 100 for percentages; undefined for other numbers. */
function rangeOf(numbers: readonly number[]): 1 | 100 | undefined {
  const most = Math.max(...numbers);
  if (Math.min(...numbers) < 0 || most > 100) return undefined;
  if (most > 1)
    return numbers.filter((each) => each > 1).length >= NEARLY_ALL * numbers.length ? 100 : undefined;
  return 2 * numbers.filter((each) => each < 1).length >= numbers.length ? 1 : undefined;
}
