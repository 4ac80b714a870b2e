import type { Trait } from '../../schema/columns/sampled.ts';
import { type Compared, mostFrequent, type Pair, type Step } from './compared.ts';
import { areDifferentlyCased, formIn, isVersion, looseForm, wordOf } from './value-traits.ts';

/** A column with more ways to write a value has no form. */
const MOST_FORMS = 4;

/** Texts that hardly two records share differ in upper and lower case alone. */
export function caseStep({ pairs }: Compared): Step {
  const changed = pairs.filter(({ was, is }) => areDifferentlyCased(was, is)).length;
  const now = 'in other upper and lower case than';
  return { kind: 'format', of: pairs.length, changed, was: 'letters', is: 'letters', now };
}

/** Texts are written in a way in which none was before. A text or version that all share may become another. */
export function formStep({ pairs }: Compared): Step | undefined {
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
export function wordStep({ pairs }: Compared): Step | undefined {
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
export function usualForm(traits: readonly Trait[]): string {
  const form = mostFrequent(traits.flatMap((each) => formIn(each) ?? []));
  return form === undefined ? '' : ` like ${form}`;
}
