import { hash } from '#simulator/dice.ts';
import { millisecondsOf, serverOf, type Told, uuidOf } from './beside.ts';
import { DAY_MS, momentOf } from './records.ts';

interface Harmless {
  readonly seenIn: string;
  readonly headers: (told: Told) => Readonly<Record<string, string>>;
}

const one = (name: string, value: (told: Told) => string) => (told: Told) => ({ [name]: value(told) });
const draw = ({ seed, day, call }: Told, salt: number) => hash(seed, salt, day, call);
const etagOf = (told: Told) =>
  draw({ ...told, call: 0 }, 81)
    .toString(16)
    .padStart(8, '0');

/** Headers of proxies, caches, gateways and frameworks that say nothing about how many records there are. */
export const HARMLESS = {
  age: {
    seenIn: 'CloudFront, Fastly, Varnish',
    headers: one('age', (told) => `${1 + (draw({ ...told, call: 0 }, 82) % 7200)}`),
  },
  'x-cache': {
    seenIn: 'CloudFront, Squid',
    headers: one('x-cache', (told) =>
      draw(told, 83) % 2 === 0 ? 'Hit from cloudfront' : 'Miss from cloudfront',
    ),
  },
  via: {
    seenIn: 'CloudFront, Squid, Heroku',
    headers: one('via', (told) => `1.1 ${etagOf(told)}.cloudfront.net (CloudFront)`),
  },
  'cache-status': {
    seenIn: 'RFC 9211: Caddy, Netlify',
    headers: one('cache-status', () => 'edge; hit; ttl=120'),
  },
  'cf-cache-status': {
    seenIn: 'Cloudflare',
    headers: one('cf-cache-status', (told) => (draw(told, 84) % 2 === 0 ? 'HIT' : 'EXPIRED')),
  },
  'cache-control': {
    seenIn: 'everywhere',
    headers: one('cache-control', () => 'private, max-age=0, must-revalidate'),
  },
  etag: { seenIn: 'Express, Rails, nginx', headers: one('etag', (told) => `W/"5f2-${etagOf(told)}"`) },
  'last-modified': {
    seenIn: 'everywhere',
    headers: one('last-modified', ({ day }) => new Date(momentOf(day) - DAY_MS / 4).toUTCString()),
  },
  'x-served-by': {
    seenIn: 'Fastly',
    headers: one('x-served-by', (told) => `cache-fra-etou${8_220_000 + (draw(told, 85) % 99)}-FRA`),
  },
  'x-server': { seenIn: 'servers behind a balancer', headers: one('x-server', serverOf) },
  'x-request-id': { seenIn: 'Rails, Heroku, Envoy', headers: one('x-request-id', uuidOf) },
  'x-ratelimit': {
    seenIn: 'GitHub: what is left counts down',
    headers: ({ day, call }) => ({
      'x-ratelimit-limit': '15000',
      'x-ratelimit-remaining': `${14_999 - (call % 15_000)}`,
      'x-ratelimit-used': `${1 + (call % 15_000)}`,
      'x-ratelimit-reset': `${Math.floor(momentOf(day) / 1000) + 3600}`,
      'x-ratelimit-resource': 'core',
    }),
  },
  ratelimit: {
    seenIn: 'the IETF draft: Cloudflare, express-rate-limit 7',
    headers: ({ call }) => ({
      'ratelimit-policy': '"default";q=15000;w=3600',
      ratelimit: `"default";r=${14_999 - (call % 15_000)};t=3600`,
    }),
  },
  'x-rate-limit': {
    seenIn: 'Okta, Twitter, Spring Cloud Gateway',
    headers: ({ call }) => ({
      'x-rate-limit-limit': '15000',
      'x-rate-limit-remaining': `${14_999 - (call % 15_000)}`,
    }),
  },
  server: {
    seenIn: 'IIS',
    headers: () => ({
      server: 'Microsoft-IIS/10.0',
      'x-powered-by': 'ASP.NET',
      'x-aspnet-version': '4.0.30319',
    }),
  },
  'x-runtime': { seenIn: 'Rails', headers: one('x-runtime', (told) => `${millisecondsOf(told) / 1000}`) },
  'server-timing': {
    seenIn: 'Cloudflare, Next.js',
    headers: one(
      'server-timing',
      (told) => `db;dur=${millisecondsOf(told)}, total;dur=${millisecondsOf(told) + 4}`,
    ),
  },
  'x-envoy': {
    seenIn: 'Envoy and Istio',
    headers: one('x-envoy-upstream-service-time', (told) => `${millisecondsOf(told)}`),
  },
  'x-api-version': {
    seenIn: 'the signage platform after an update, Shopify',
    headers: one('x-api-version', ({ version }) => version),
  },
  deprecation: {
    seenIn: 'RFC 9745 and RFC 8594',
    headers: () => ({ deprecation: '@1793491200', sunset: 'Wed, 30 Jun 2027 23:59:59 GMT' }),
  },
  warning: {
    seenIn: 'Kubernetes, of a deprecated version',
    headers: one('warning', () => '299 - "Version 1.12 is deprecated"'),
  },
  security: {
    seenIn: 'Helmet, Spring Security',
    headers: () => ({
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'self'",
    }),
  },
  nel: {
    seenIn: 'Cloudflare',
    headers: () => ({
      nel: '{"success_fraction":0,"report_to":"cf-nel","max_age":604800}',
      'report-to':
        '{"endpoints":[{"url":"https://a.nel.cloudflare.com/report/v4?s=x"}],"group":"cf-nel","max_age":604800}',
    }),
  },
  'x-amz-cf': {
    seenIn: 'CloudFront',
    headers: (told) => ({ 'x-amz-cf-pop': 'FRA56-P8', 'x-amz-cf-id': `${etagOf(told)}kQ==` }),
  },
  'set-cookie': {
    seenIn: 'balancers with sticky sessions',
    headers: one('set-cookie', (told) => `SERVERID=${serverOf(told)}; path=/; HttpOnly`),
  },
  vary: { seenIn: 'everywhere', headers: one('vary', () => 'Accept-Encoding, Origin') },
  'accept-ranges': { seenIn: 'nginx, Apache', headers: one('accept-ranges', () => 'none') },
  'content-language': { seenIn: 'ASP.NET, Django', headers: one('content-language', () => 'de-DE') },
} as const satisfies Readonly<Record<string, Harmless>>;

export type HarmlessName = keyof typeof HARMLESS;
export const HARMLESS_NAMES = Object.keys(HARMLESS) as readonly HarmlessName[];

/** The headers of these names. */
export function headersOf(names: readonly HarmlessName[], told: Told): Record<string, string> {
  return Object.assign({}, ...names.map((name) => HARMLESS[name].headers(told)));
}
