import { MAP_KEY } from '../../lake/raw/marks.ts';
import { keyCandidates } from '../../schema/record-key.ts';
import type { Resource } from '../../sources/resources.ts';
import { ListingError } from '../codes.ts';
import { isIgnored } from '../read/facts.ts';
import { failureAmong } from '../read/failure.ts';
import { kindOfValue } from '../read/value-kind.ts';
import { hasId, hasValue, idNames, isObject, SAMPLED, shared, sharedKeys } from './entries.ts';
import type { EnvelopeOptions } from './shape.ts';

/** Names of a record that an error has too. */
const OF_ERROR = /^(code|type|name)$/i;

/**
 * Refuses an error among the records of a listing, which come in order. It lacks an id and half of what the others
 * have; it reports a failure, or has nothing of theirs. `known`: the keys of earlier records. Throws ListingError.
 */
export function strayGuard(
  { resource, id, ignore = [] }: Pick<EnvelopeOptions, 'resource' | 'id' | 'ignore'>,
  known: readonly string[] = [],
) {
  let keys: readonly string[] | undefined;
  const isNamed = (record: object): boolean =>
    (id !== MAP_KEY && hasId([record], id)) ||
    keyCandidates({ resource, fields: valued(record) }).some((name) => !OF_ERROR.test(name));

  return (entries: readonly unknown[]): void => {
    const records = entries.filter(isObject);
    if (records.length === 0) return;
    const isAlone = keys === undefined && records.length === 1;
    keys ??= keysAmong(records, known);
    const among = keys;
    const ids = idsAmong(among, resource);
    const stray = records.find((record) => {
      if (ids.some((name) => hasValue(record, name))) return false;
      const has = shared(record, among);
      if (has * 2 > among.length || valued(record).length === 0) return false;
      const isOther = has === 0 && among.length > 0;
      if (isNamed(record)) return isOther && isFailed(record);
      return isFailed(record) || (isOther && (ids.length > 0 || !isAlone));
    });
    const names = valued(stray ?? {});
    if (stray === undefined || names.some((name) => isIgnored({ path: [name] }, ignore))) return;
    const says = `An entry of the list has ${names[0]} and is no record: the call failed`;
    const setting = `resources.${resource.name}.ignore`;
    const cures = [{ setting, choices: [names.slice(0, 1)], when: 'it does not report a failure' }];
    throw new ListingError('API_ERROR', says, { resource: resource.name, cures });
  };
}

/** The keys of the records. Several that all have other keys than before have new names. */
function keysAmong(records: readonly object[], known: readonly string[]): readonly string[] {
  const isKnown = records.length === 1 || records.some((each) => shared(each, known) > 0);
  if (known.length > 0 && isKnown) return known;
  return sharedKeys(records.slice(0, SAMPLED).filter((each) => !isFailed(each)));
}

/** All answers of a resource have the same array of known keys. */
const ids = new WeakMap<readonly string[], readonly string[]>();

function idsAmong(keys: readonly string[], resource: Resource): readonly string[] {
  const found = ids.get(keys) ?? idNames(keys, resource);
  ids.set(keys, found);
  return found;
}

/** The names of its own members with a value. */
const valued = (record: object) => Object.keys(record).filter((name) => hasValue(record, name));

function isFailed(record: object): boolean {
  const facts = Object.entries(record).map(([name, value]) => ({
    ...{ path: [name], isHeader: false, kind: kindOfValue(value), value },
  }));
  return failureAmong(facts) !== undefined;
}
