import type { Life, SourceLife } from './life.ts';

/** A life in a few words. */
export function shortOf({ sources, sizes, events }: Life): string {
  const sourceText = ({ kind, form, paged, size, beside, headers, hasStates }: SourceLife) =>
    [
      `${kind} in ${form}`,
      ...(hasStates === true ? ['states in records'] : []),
      ...(size === 0 ? [] : [`${size} a page (${paged})`]),
      ...[...beside, ...headers].map(({ name, day }) => (day === 0 ? name : `${name} since day ${day + 1}`)),
    ].join(', ');
  const counts = `${sizes.players} players, ${sizes.groups} groups, ${sizes.licences} licences, ${sizes.storages} storages, screens ${sizes.screens}`;
  const eventText = events.map(({ day, what }) => `${what} on day ${day + 1}`).join(', ');
  return [...sources.map(sourceText), counts, ...(eventText === '' ? [] : [eventText])].join('; ');
}
