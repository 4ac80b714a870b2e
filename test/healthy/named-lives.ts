import type { Event } from './events.ts';
import type { Life, SourceLife } from './life.ts';

interface Case extends Partial<Life['sizes']> {
  readonly source?: Partial<SourceLife>;
  readonly events?: readonly Event[];
}

function lifeOf({ source, events = [], ...sizes }: Case): Life {
  return {
    seed: 1,
    sizes: { players: 7, groups: 3, licences: 6, storages: 3, prices: 'list', screens: 'mixed', ...sizes },
    sources: [{ kind: 'signage', form: 'bare', paged: 'all', size: 0, beside: [], headers: [], ...source }],
    events,
  };
}

/** Lives in which alarms were found once, each with one thing that caused it; test/nightly/healthy.test.ts lives them. */
export const NAMED_LIVES: Readonly<Record<string, Life>> = {
  ...Object.fromEntries(
    [10, 20, 25, 50, 100, 200].map((players) => [
      `a bare list of exactly ${players} players`,
      lifeOf({ players }),
    ]),
  ),
  'ten groups and 25 licences': lifeOf({ groups: 10, licences: 25 }),
  'records with a state of their own, without what has no value': lifeOf({
    players: 33,
    source: { hasStates: true },
  }),
  'records with a state of their own': lifeOf({
    players: 33,
    source: { form: '{success, data}', hasStates: true },
  }),
  'ten storages': lifeOf({
    storages: 10,
    source: { kind: 'backup', form: '{result, data}' },
  }),
  'a message that names what was retrieved': lifeOf({ source: { form: '{statusCode, message, data}' } }),
  'no player, next to a word that nothing explains': lifeOf({
    players: 0,
    source: {
      ...{ form: 'JSON:API, links alone', paged: 'parents', size: 10 },
      beside: [{ name: 'permissions', day: 0 }],
    },
  }),
  'a token of the page before that turns as the records do': lifeOf({
    players: 10,
    source: { form: 'FastAPI, cursor', paged: 'parents', size: 50 },
    events: [{ day: 1, what: 'shrink' }],
  }),
  'how many players are online next to them': lifeOf({
    players: 33,
    source: { form: '{success, data}', beside: [{ name: 'statistics', day: 0 }] },
    events: [{ day: 3, what: 'shrink' }],
  }),
  'an Age header from the seventh day on': lifeOf({
    source: { headers: [{ name: 'age', day: 6 }] },
  }),
  'a warning that the version is deprecated': lifeOf({ source: { headers: [{ name: 'warning', day: 0 }] } }),
  'ten files for every player': lifeOf({ players: 13, events: [{ day: 2, what: 'rollout', files: 10 }] }),
  'a tenth of the players leaves on the day on which another server answers': lifeOf({
    players: 33,
    source: { form: '{success, data}', beside: [{ name: 'server', day: 0 }] },
    events: [2, 4, 6, 8].map((day) => ({ day, what: 'customer-leaves' })),
  }),
  'a tenth of the players leaves on the day on which the answers tell how long they took': lifeOf({
    players: 25,
    source: { form: '{players}', beside: [{ name: 'duration', day: 3 }] },
    events: [{ day: 3, what: 'customer-leaves' }],
  }),
  'a first player on the second day, and with it the number of the last one': lifeOf({
    players: 0,
    source: { form: 'Laravel simple paginator', paged: 'parents', size: 10 },
    events: [{ day: 1, what: 'grow' }],
  }),
  'a cache that is hit on some days': lifeOf({
    source: { headers: [{ name: 'cf-cache-status', day: 0 }] },
  }),
  'a price list that stands below a name': lifeOf({ source: { kind: 'backup', form: 'JSend' } }),
  'one screen for each player, each in a map': lifeOf({ screens: 'one', source: { form: 'keyed map' } }),
  'Spring pages': lifeOf({ players: 33, source: { form: 'Spring Page', size: 20 } }),
  'a Spring page that is all': lifeOf({ source: { form: 'Spring Page', size: 20 } }),
  "Google's JSON without records": lifeOf({ players: 0, source: { form: 'nextPageToken', size: 20 } }),
  "Jira's JSON without players": lifeOf({
    players: 0,
    source: { form: 'startAt, maxResults, total, isLast', size: 50 },
    events: [{ day: 9, what: 'grow' }],
  }),
  'HAL without records': lifeOf({ players: 0, source: { form: 'HAL collection' } }),
  'HAL items without records': lifeOf({ players: 1, source: { form: 'HAL items', size: 20 } }),
  'HAL items of which a later page has counts alone': lifeOf({
    source: { kind: 'backup', form: 'HAL items', size: 25 },
  }),
  'a Relay connection': lifeOf({ players: 33, source: { form: 'GraphQL edges', size: 20 } }),
  'a Relay connection without a transfer': lifeOf({
    players: 1,
    source: { form: 'GraphQL edges', paged: 'top', size: 50 },
    events: [{ day: 1, what: 'queue-empties' }],
  }),
  'a continuation header': lifeOf({ players: 33, source: { form: 'continuation header', size: 20 } }),
  "FastAPI's skip over 100": lifeOf({
    players: 120,
    source: { form: 'FastAPI, skip and limit with a count', size: 100 },
  }),
};
