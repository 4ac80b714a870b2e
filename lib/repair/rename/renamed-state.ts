import type { Renamed } from '../../run/renamed-sources.ts';

/** Members of a state that have a value for each source. */
const BY_SOURCE = new Set(['keys', 'samples', 'readings', 'rejects', 'dialects']);
/** Members with the name of a source, or with names of sources. */
const NAMES = new Set(['source', 'masked']);
/** Lists of what happened to each source. */
const OF_SOURCES = new Set(['sources', 'uncalled', 'leftOut']);

/**
 * A schema, a summary or the dialects of a head with the new name of a source. Its values stay, and so does the order of
 * members: columns and questions come in it.
 */
export function renamedState<State>(state: State, { was, name }: Renamed): State {
  const named = (each: unknown): unknown => {
    if (each === was) return name;
    const isIts = typeof each === 'object' && each !== null && 'name' in each && each.name === was;
    return isIts ? { ...each, name } : each;
  };
  return JSON.parse(JSON.stringify(state), (member, value: unknown) => {
    if (NAMES.has(member) || OF_SOURCES.has(member))
      return Array.isArray(value) ? value.map(named) : named(value);
    if (!BY_SOURCE.has(member) || typeof value !== 'object' || value === null || Array.isArray(value))
      return value;
    return Object.fromEntries(Object.entries(value).map(([key, its]) => [key === was ? name : key, its]));
  });
}
