import type { Trait } from '../../schema/columns/sampled.ts';
import { type Change, type Compared, counts, MANY, NEARLY_ALL, type Pair } from './compared.ts';
import { timeShift } from './time-shift.ts';
import { unitChange } from './unit-change.ts';
import { differInCase, formIn, type KindOfValue, looseForm, traitKind, wordOf } from './value-traits.ts';

/** So many records share each version. */
const SHARED_BY = 4;
/** A column with more ways to write a value has no form. */
const MOST_FORMS = 4;
/** What players of a fleet that is set up become together. */
const EXPECTED: ReadonlySet<string> = new Set(['true', 'activated']);
/** Some players are this, but never all of a fleet. Another word that some had, such as a licence type, all may take. */
const UNEXPECTED: ReadonlySet<string> = new Set(['false', 'deleted', 'new', 'reserved', 'undefined']);
const MOST = 2 / 3;
/** A word that fewer records have may change by chance together with the others. */
const FEW_SWAPS = 3;

/**
 * How the same records differ from before, all in the same way: another type, unit, zone, format or other words. One
 * rule fits all columns, because it ignores what a value is about. Undefined where nothing of this changed.
 */
export function meaningChange(compared: Compared): Change | undefined {
  if (compared.pairs.length < MANY) return undefined;
  return (
    typeChange(compared) ??
    unitChange(compared) ??
    timeShift(compared) ??
    formatChange(compared) ??
    wordChange(compared)
  );
}

function typeChange({ pairs, date }: Compared): Change | undefined {
  const kind = (which: keyof Pair) => commonest(pairs.map((pair) => traitKind(pair[which])));
  const [was, is] = [kind('was'), kind('is')];
  const changed = pairs.filter((pair) => traitKind(pair.was) === was && traitKind(pair.is) === is);
  if (was === undefined || is === undefined || was === is || changed.length < NEARLY_ALL * pairs.length)
    return undefined;
  const like = (which: keyof Pair, of: KindOfValue) => `${of}${such(changed.map((pair) => pair[which]))}`;
  return {
    kind: 'type',
    was,
    is,
    says: `${counts(changed, pairs)} are ${like('is', is)}; before ${date} they were ${like('was', was)}`,
  };
}

/** `4.8.1`, `5.0.0-beta1`, `v1.2`. */
const isVersion = (trait: Trait) => /^x?9+\.9[-+. x9]*$/.test(formIn(trait) ?? '');

function formatChange({ pairs, date, known }: Compared): Change | undefined {
  const cased = pairs.filter(({ was, is }) => differInCase(was, is));
  if (cased.length >= NEARLY_ALL * pairs.length && wordOf(pairs[0]?.was ?? null) === undefined)
    return {
      kind: 'format',
      was: 'letters',
      is: 'letters',
      says: `${counts(cased, pairs)} differ from before ${date} only in upper and lower case`,
    };
  const forms = pairs.flatMap(({ was, is }) => {
    const [before, now] = [formIn(was), formIn(is)];
    return before === undefined || now === undefined ? [] : [{ was: looseForm(before), is: looseForm(now) }];
  });
  const before = new Set(forms.map(({ was }) => was));
  const now = new Set(forms.map(({ is }) => is));
  const changed = forms.filter(({ is }) => !before.has(is));
  const isBack = known?.kind === 'format' && known.was === [...now].toSorted().join(' ');
  const texts = new Set(pairs.map(({ was }) => was));
  const areVersions =
    SHARED_BY * texts.size <= pairs.length && pairs.every(({ was, is }) => isVersion(was) && isVersion(is));
  const areShared = !isBack && (texts.size === 1 || areVersions);
  if (
    areShared ||
    before.size > MOST_FORMS ||
    now.size > MOST_FORMS ||
    changed.length < NEARLY_ALL * pairs.length
  )
    return undefined;
  return {
    kind: 'format',
    was: [...before].toSorted().join(' '),
    is: [...now].toSorted().join(' '),
    says: `${counts(changed, pairs)} are written${such(pairs.map(({ is }) => is))}; before ${date} they were written${such(pairs.map(({ was }) => was))}`,
  };
}

function wordChange({ pairs, date, isLasting = false }: Compared): Change | undefined {
  const words = pairs.flatMap(({ was, is }) => {
    const [before, now] = [was, is].map((each) => (typeof each === 'boolean' ? String(each) : wordOf(each)));
    return before === undefined || now === undefined ? [] : [{ was: before, is: now }];
  });
  const before = new Set(words.map(({ was }) => was));
  const now = new Set(words.map(({ is }) => is));
  const changed = words.filter(({ was, is }) => was !== is);
  const [only = ''] = now;
  const word = only.toLowerCase();
  const isOddNow = before.has(only) ? UNEXPECTED.has(word) : !EXPECTED.has(word);
  const isOneNow = isLasting && now.size === 1 && isOddNow;
  if (changed.length < (isOneNow ? MOST : NEARLY_ALL) * pairs.length) return undefined;
  const isSpelling = changed.every(({ was, is }) => was.toLowerCase() === is.toLowerCase());
  // Each word has become one other word. A word that all records share, such as a state, may change on any
  // day. A lasting column that says one word in all records means something else.
  const ways = Map.groupBy(changed, ({ was, is }) => `${JSON.stringify(was)} became ${JSON.stringify(is)}`);
  if (!isSpelling && !isOneNow && (before.size < 2 || ways.size !== before.size || ways.size !== now.size))
    return undefined;
  // Words that were there before may be states, and a few records change them on any day.
  const haveSwapped = changed.some(({ is }) => before.has(is));
  if (haveSwapped && !isOneNow && [...ways.values()].some((way) => way.length < FEW_SWAPS)) return undefined;
  const named = (all: ReadonlySet<string>) =>
    [...all]
      .toSorted()
      .map((word) => JSON.stringify(word))
      .join(', ');
  return {
    kind: 'words',
    was: named(before),
    is: named(now),
    says: haveSwapped
      ? `${counts(changed, pairs)} are other words than before ${date}: ${[...ways.keys()].toSorted().join(', ')}`
      : `${counts(changed, pairs)} are other words: ${named(now)}; before ${date} they were ${named(before)}`,
  };
}

/** The usual form of texts, for a message: ` like 9999-99-99x99:99:99x`. Empty where they are not texts. */
function such(traits: readonly Trait[]): string {
  const form = commonest(traits.flatMap((each) => formIn(each) ?? []));
  return form === undefined ? '' : ` like ${form}`;
}

function commonest<Item>(items: readonly Item[]): Item | undefined {
  const groups = [...Map.groupBy(items, (item) => item)];
  return groups.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
}
