import { hash } from '#simulator/dice.ts';
import type { Json, JsonObject } from '#simulator/json.ts';
import { DAY_MS, momentOf } from './records.ts';
import type { Held, Table } from './truth.ts';

/** What a harmless fact may depend on. */
export interface Told {
  readonly seed: number;
  readonly day: number;
  /** How many calls came before on this day. */
  readonly call: number;
  readonly table: Table;
  /** `Players` */
  readonly listing: string;
  readonly records: readonly Held[];
  readonly version: string;
}

export const uuidOf = ({ seed, day, call }: Told): string => {
  const part = (salt: number) => hash(seed, salt, day, call).toString(16).padStart(8, '0');
  const [a, b, c, d] = [part(71), part(72), part(73), part(74)];
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`;
};
/** Servers behind a balancer take turns, a day for each. */
export const serverOf = ({ seed, day }: Told): string => `web-0${1 + (hash(seed, 75, day) % 4)}`;
export const millisecondsOf = ({ seed, day, call }: Told): number => 3 + (hash(seed, 76, day, call) % 180);
const isoOf = ({ day, call }: Told): string => new Date(momentOf(day) + call * 37).toISOString();

function counts(
  { records }: Told,
  [yes, no]: readonly [string, string],
  isYes: (record: Held['record']) => boolean,
): JsonObject {
  const all = records.filter(({ record }) => isYes(record)).length;
  return { [yes]: all, [no]: records.length - all };
}

/** How many records of each sort there are: `online: 77, offline: 3`. Other listings have none of that. */
function statistics(told: Told): JsonObject | null {
  if (told.table === 'players')
    return counts(
      told,
      ['online', 'offline'],
      ({ box_state, id }) => box_state !== 'New' && Number(id) % 27 > 0,
    );
  if (told.table === 'screens') return counts(told, ['on', 'off'], ({ is_on }) => is_on === true);
  if (told.table === 'backup_storages')
    return counts(told, ['locked', 'open'], ({ locked }) => locked === true);
  return null;
}

interface Beside {
  readonly seenIn: string;
  readonly members: (told: Told) => JsonObject;
}

const one = (name: string, value: (told: Told) => Json) => (told: Told) => ({ [name]: value(told) });

/** Members next to the records that say nothing about how many records there are. */
export const BESIDE = {
  message: {
    seenIn: 'NestJS and Express tutorials',
    members: one('message', ({ listing }) => `${listing} retrieved successfully`),
  },
  ok: { seenIn: 'Slack, Telegram', members: one('ok', () => true) },
  status: { seenIn: 'Google Maps, JSend', members: one('status', () => 'OK') },
  code: { seenIn: 'Chinese and Laravel APIs', members: one('code', () => 200) },
  error: { seenIn: 'Go APIs', members: one('error', () => null) },
  errors: { seenIn: 'GraphQL gateways, ASP.NET wrappers', members: one('errors', () => []) },
  warnings: { seenIn: 'Cloudflare, Grafana', members: one('warnings', () => []) },
  statistics: { seenIn: 'dashboards of device managers', members: (told) => statistics(told) ?? {} },
  summary: {
    seenIn: 'dashboards of device managers',
    members: (told) => {
      const found = statistics(told);
      return found === null ? {} : { summary: found };
    },
  },
  version: { seenIn: 'Zabbix, Elasticsearch', members: one('version', ({ version }) => version) },
  apiVersion: { seenIn: "Google's JSON style guide, Kubernetes", members: one('apiVersion', () => 'v1.12') },
  server: { seenIn: 'servers behind a balancer', members: one('server', serverOf) },
  node: {
    seenIn: 'clusters',
    members: one('node', (told) => ({ name: serverOf(told), zone: 'eu-central-1a' })),
  },
  requestId: { seenIn: 'AWS, Azure', members: one('requestId', uuidOf) },
  traceId: {
    seenIn: 'ASP.NET Core',
    members: one('traceId', (told) => `00-${uuidOf(told).replaceAll('-', '')}-01`),
  },
  timestamp: { seenIn: 'Spring Boot', members: one('timestamp', isoOf) },
  serverTime: {
    seenIn: 'Binance, Foursquare',
    members: one('serverTime', ({ day, call }) => momentOf(day) + call),
  },
  generatedAt: { seenIn: 'reports', members: one('generatedAt', isoOf) },
  took: { seenIn: 'Elasticsearch, Algolia', members: one('took', millisecondsOf) },
  duration: {
    seenIn: 'CKAN, PHP APIs',
    members: one('duration', (told) => `${millisecondsOf(told) / 1000} s`),
  },
  cached: {
    seenIn: 'APIs with a cache of their own',
    members: one('cached', ({ seed, day }) => hash(seed, 77, day) % 3 === 0),
  },
  lastModified: {
    seenIn: 'ETag by hand',
    members: one('lastModified', ({ day }) => new Date(momentOf(day) - DAY_MS / 3).toISOString()),
  },
  revision: {
    seenIn: 'Kubernetes resourceVersion, CouchDB',
    members: one('revision', ({ day, seed }) => 10_245 + day * (17 + (seed % 9))),
  },
  links: {
    seenIn: 'REST by the book',
    members: one('links', ({ listing }) => ({ self: `/api/${listing}` })),
  },
  self: { seenIn: 'Jira', members: one('self', ({ listing }) => `/gv2/webservices/API/v1.12/${listing}`) },
  copyright: {
    seenIn: 'Marvel, weather APIs',
    members: one('copyright', () => '© 2026 Example Corp. All rights reserved.'),
  },
  licence: {
    seenIn: 'open data',
    members: one('license', () => 'Use of this data is subject to the terms at https://example.com/terms'),
  },
  documentation: {
    seenIn: 'GitHub',
    members: one('documentation_url', () => 'https://docs.example.com/api/v1.12'),
  },
  deprecation: {
    seenIn: 'Shopify, Stripe',
    members: one('notice', () => 'Version 1.12 is deprecated and will be removed on 2027-06-30.'),
  },
  environment: { seenIn: 'Spring Boot, Sentry', members: one('environment', () => 'production') },
  tenant: {
    seenIn: 'multi-tenant platforms',
    members: one('tenant', () => ({ id: 42, name: 'Example AG' })),
  },
  user: { seenIn: 'admin interfaces', members: one('user', () => 'export@example.com') },
  locale: { seenIn: 'Contentful, Shopware', members: one('locale', () => 'de-DE') },
  permissions: { seenIn: 'admin interfaces', members: one('permissions', () => ['read', 'list']) },
  uptime: {
    seenIn: 'device managers',
    members: one('uptimeSeconds', ({ day, seed }) => 86_400 * (3 + day) + (seed % 999)),
  },
  kind: { seenIn: 'Google, Kubernetes', members: one('kind', ({ listing }) => `signage#${listing}`) },
} as const satisfies Readonly<Record<string, Beside>>;

export type BesideName = keyof typeof BESIDE;
export const BESIDE_NAMES = Object.keys(BESIDE) as readonly BesideName[];

/** The members of these names, in their order. */
export function membersOf(names: readonly BesideName[], told: Told): JsonObject {
  return Object.assign({}, ...names.map((name) => BESIDE[name].members(told)));
}
