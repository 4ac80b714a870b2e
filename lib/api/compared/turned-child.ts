import type { Cure } from '../../sources/question.ts';
import type { Resource } from '../../sources/resources.ts';
import type { Dialect } from '../dialect.ts';
import { isForm, wordsTurned } from './word-of.ts';

/** The answer to one parent, read to its end. */
interface ReadChild {
  readonly resource: Resource;
  readonly lock: Dialect | undefined;
  readonly items: number;
  /** As `childWords` has them. */
  readonly words: readonly string[];
  /** `resources.NAME.complete` */
  readonly isDeclaredComplete: boolean;
}

/**
 * What is wrong with a parent's answer without a record that says otherwise than all parents' answers before: `source: "live"` is
 * `"cache"`, `reachable` is false, or it is built otherwise: `null` after `{"items": []}`. Whether the parent has no record is not
 * known, so those of before stay.
 */
export function turnedChild({
  items,
  lock,
  words,
  resource,
  isDeclaredComplete,
}: ReadChild): { readonly says: string; readonly cures: readonly Cure[] } | null {
  if (items > 0 || lock === undefined) return null;
  const turned = wordsTurned(lock.words ?? [], words).filter(
    ({ isIgnored }) => !isDeclaredComplete || !isIgnored,
  );
  if (turned.length === 0) return null;
  const names = turned.flatMap(({ name }) => (isForm(name) ? [] : [name]));
  const isBuiltAnew = names.length < turned.length;
  // What the config ignores already is answered by another word.
  const cure: Cure = turned.some(({ isIgnored }) => isIgnored)
    ? { setting: `resources.${resource.name}.complete`, choices: [true], when: 'it has none all the same' }
    : {
        setting: `resources.${resource.name}.ignore`,
        choices: [names],
        when: `${names.length > 1 ? 'they say' : 'it says'} nothing of missing records`,
      };
  const news = [
    ...(isBuiltAnew ? ['is built'] : []),
    ...(names.length > 0 ? [`says ${names.join(', ')}`] : []),
  ].join(', and ');
  const says = `The answer has no record, and ${news} otherwise than all answers before: the records may be missing`;
  return { says, cures: [cure] };
}
