import { hash } from '#simulator/dice.ts';
import { millisecondsOf, serverOf, type Told, uuidOf } from './beside.ts';
import { DAY_MS, momentOf } from './records.ts';

/** Who sends it, and its value; or several headers. */
type Harmless = readonly [seenIn: string, says: (told: Told) => string | Readonly<Record<string, string>>];

const draw = ({ seed, day, call }: Told, salt: number) => hash(seed, salt, day, call);
const etagOf = (told: Told) =>
  draw({ ...told, call: 0 }, 81)
    .toString(16)
    .padStart(8, '0');

/** Headers, by name, of proxies, caches, gateways and frameworks that say nothing about how many records there are. */
export const HARMLESS = {
  age: ['CloudFront, Fastly, Varnish', (told) => `${1 + (draw({ ...told, call: 0 }, 82) % 7200)}`],
  'x-cache': ['CloudFront, Squid', (told) => `${draw(told, 83) % 2 === 0 ? 'Hit' : 'Miss'} from cloudfront`],
  via: ['CloudFront, Squid, Heroku', (told) => `1.1 ${etagOf(told)}.cloudfront.net (CloudFront)`],
  'cf-cache-status': ['Cloudflare', (told) => (draw(told, 84) % 2 === 0 ? 'HIT' : 'EXPIRED')],
  etag: ['Express, Rails, nginx', (told) => `W/"5f2-${etagOf(told)}"`],
  'last-modified': ['everywhere', ({ day }) => new Date(momentOf(day) - DAY_MS / 4).toUTCString()],
  'x-served-by': ['Fastly', (told) => `cache-fra-etou${8_220_000 + (draw(told, 85) % 99)}-FRA`],
  'x-server': ['servers behind a balancer', serverOf],
  'x-request-id': ['Rails, Heroku, Envoy', uuidOf],
  'x-ratelimit': [
    'GitHub: what is left counts down',
    ({ day, call }) => ({
      'x-ratelimit-limit': '15000',
      'x-ratelimit-remaining': `${14_999 - (call % 15_000)}`,
      'x-ratelimit-used': `${1 + (call % 15_000)}`,
      'x-ratelimit-reset': `${Math.floor(momentOf(day) / 1000) + 3600}`,
      'x-ratelimit-resource': 'core',
    }),
  ],
  ratelimit: [
    'the IETF draft: Cloudflare, express-rate-limit 7',
    ({ call }) => ({
      'ratelimit-policy': '"default";q=15000;w=3600',
      ratelimit: `"default";r=${14_999 - (call % 15_000)};t=3600`,
    }),
  ],
  'x-rate-limit': [
    'Okta, Twitter, Spring Cloud Gateway',
    ({ call }) => ({ 'x-rate-limit-limit': '15000', 'x-rate-limit-remaining': `${14_999 - (call % 15e3)}` }),
  ],
  'x-runtime': ['Rails', (told) => `${millisecondsOf(told) / 1000}`],
  'x-api-version': ['the signage platform after an update, Shopify', ({ version }) => version],
  deprecation: [
    'RFC 9745 and RFC 8594',
    () => ({ deprecation: '@1793491200', sunset: 'Wed, 30 Jun 2027 23:59:59 GMT' }),
  ],
  warning: ['Kubernetes, of a deprecated version', () => '299 - "Version 1.12 is deprecated"'],
  'accept-ranges': ['nginx, Apache', () => 'none'],
  'content-language': ['ASP.NET, Django', () => 'de-DE'],
} as const satisfies Readonly<Record<string, Harmless>>;

export type HarmlessName = keyof typeof HARMLESS;
export const HARMLESS_NAMES = Object.keys(HARMLESS) as readonly HarmlessName[];

/** The headers of these names. */
export function headersOf(names: readonly HarmlessName[], told: Told): Record<string, string> {
  const headers = names.map((name) => {
    const said = HARMLESS[name][1](told);
    return typeof said === 'string' ? { [name]: said } : said;
  });
  return Object.assign({}, ...headers);
}
