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
function statistics(told: Told): JsonObject | undefined {
  if (told.table === 'players')
    return counts(
      told,
      ['online', 'offline'],
      ({ box_state, id }) => box_state !== 'New' && Number(id) % 27 > 0,
    );
  if (told.table === 'screens') return counts(told, ['on', 'off'], ({ is_on }) => is_on === true);
  if (told.table === 'backup_storages')
    return counts(told, ['locked', 'open'], ({ locked }) => locked === true);
  return undefined;
}

/** Who says it, and its value; undefined leaves it out. */
type Beside = readonly [seenIn: string, value: (told: Told) => Json | undefined];

/** Members next to the records, by name, that say nothing about how many records there are. */
export const BESIDE = {
  message: ['NestJS and Express tutorials', ({ listing }) => `${listing} retrieved successfully`],
  ok: ['Slack, Telegram', () => true],
  status: ['Google Maps, JSend', () => 'OK'],
  code: ['Chinese and Laravel APIs', () => 200],
  error: ['Go APIs', () => null],
  errors: ['GraphQL gateways, ASP.NET wrappers', () => []],
  warnings: ['Cloudflare, Grafana', () => []],
  // Its own members, one by one.
  statistics: ['dashboards of device managers', statistics],
  summary: ['dashboards of device managers', statistics],
  version: ['Zabbix, Elasticsearch', ({ version }) => version],
  apiVersion: ["Google's JSON style guide, Kubernetes", () => 'v1.12'],
  server: ['servers behind a balancer', serverOf],
  node: ['clusters', (told) => ({ name: serverOf(told), zone: 'eu-central-1a' })],
  requestId: ['AWS, Azure', uuidOf],
  traceId: ['ASP.NET Core', (told) => `00-${uuidOf(told).replaceAll('-', '')}-01`],
  timestamp: ['Spring Boot', isoOf],
  serverTime: ['Binance, Foursquare', ({ day, call }) => momentOf(day) + call],
  generatedAt: ['reports', isoOf],
  took: ['Elasticsearch, Algolia', millisecondsOf],
  duration: ['CKAN, PHP APIs', (told) => `${millisecondsOf(told) / 1000} s`],
  cached: ['APIs with a cache of their own', ({ seed, day }) => hash(seed, 77, day) % 3 === 0],
  lastModified: ['ETag by hand', ({ day }) => new Date(momentOf(day) - DAY_MS / 3).toISOString()],
  revision: ['Kubernetes resourceVersion, CouchDB', ({ day, seed }) => 10_245 + day * (17 + (seed % 9))],
  links: ['REST by the book', ({ listing }) => ({ self: `/api/${listing}` })],
  self: ['Jira', ({ listing }) => `/gv2/webservices/API/v1.12/${listing}`],
  copyright: ['Marvel, weather APIs', () => '© 2026 Example Corp. All rights reserved.'],
  license: ['open data', () => 'Use of this data is subject to the terms at https://example.com/terms'],
  documentation_url: ['GitHub', () => 'https://docs.example.com/api/v1.12'],
  notice: ['Shopify, Stripe', () => 'Version 1.12 is deprecated and will be removed on 2027-06-30.'],
  environment: ['Spring Boot, Sentry', () => 'production'],
  tenant: ['multi-tenant platforms', () => ({ id: 42, name: 'Example AG' })],
  user: ['admin interfaces', () => 'export@example.com'],
  locale: ['Contentful, Shopware', () => 'de-DE'],
  permissions: ['admin interfaces', () => ['read', 'list']],
  uptimeSeconds: ['device managers', ({ day, seed }) => 86_400 * (3 + day) + (seed % 999)],
  kind: ['Google, Kubernetes', ({ listing }) => `signage#${listing}`],
} as const satisfies Readonly<Record<string, Beside>>;

export type BesideName = keyof typeof BESIDE;
export const BESIDE_NAMES = Object.keys(BESIDE) as readonly BesideName[];

/** The members of these names, in their order. */
export function membersOf(names: readonly BesideName[], told: Told): JsonObject {
  const members = names.map((name) => {
    const value = BESIDE[name][1](told);
    if (value === undefined) return {};
    return name === 'statistics' ? value : { [name]: value };
  });
  return Object.assign({}, ...members);
}
