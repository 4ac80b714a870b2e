import { wordsOf } from './words.ts';

/*
 * The words by which a member or header beside the records is known to say nothing about pages. A new word goes into the
 * group that describes it. A member without a known word becomes a question.
 */

/** Win over every other word of a name: the member counts or names something else than records and pages. */
const ALWAYS: readonly string[] = [
  // How many calls are left.
  'rate ratelimit quota throttle throttling credits allowance retry',
  // How long it took.
  'took elapsed duration latency runtime ms millis milliseconds seconds nanos uptime timing timestamp',
  // Which call it was, for whoever searches logs.
  'trace tracing span correlation traceparent tracestate amzn',
  // Checksums and signatures.
  'checksum digest etag signature csrf xsrf nonce',
];

/** Idle, unless another word of the name is about pages. */
const ELSE: readonly string[] = [
  // Which call it was.
  'request invocation transaction session conversation operation ray call id uuid guid ids',
  // When it was, and how long it may be kept.
  'time date datetime timestamp now generated created updated modified expires expiry ttl age cache cached at',
  // What it is, in which version, language and form.
  'version revision build release api schema context type kind object format encoding charset language lang locale currency unit units timezone zone media',
  // Who says it, and where it comes from.
  'copyright license licence disclaimer attribution documentation docs doc help support title name description text phrase label comment note notes contact name names',
  'view mode provider source vendor backend upstream worker replica pod datacenter scope level brand category style theme channel stage role method protocol platform locale currency country city',
  'environment env region host hostname server node instance cluster tenant account organization organisation company user owner service application app product powered generator site domain',
  // How the call ended; failures are found elsewhere.
  'timed timeout aborted partial incomplete degraded status code result success successful succeeded ok message messages msg reason info debug deprecated deprecation beta demo sandbox dryrun readonly error errors warning warnings fault exception failed failure shards',
  // The parameters of the call.
  'query filter filters filtered sort sorted order orderby direction fields select expand search q path uri url href base link links self method params parameters criteria template rel to upto end paged unpaged paginated',
];

/** What a text beside the records is about that says nothing about them: whose the answer is, what it is, who gives it. */
const SILENT_TEXTS = setOf([
  'copyright license licence disclaimer attribution documentation docs doc help support contact title label name',
  'version release build product application app powered generator user agent owner account tenant organization',
  'organisation company customer site domain region country city environment host server zone timezone time date',
]);

/** What a list beside the records is about that says nothing about them: what the call asked for, and may ask for. */
const SILENT_LISTS = setOf([
  'included links link facets aggregations columns fields actions operations tags',
  'sort order orderby select expand include filters locales languages scopes permissions roles versions',
]);

/** True if a text under a name with these words says nothing about the records. */
export function isSilentText(words: readonly string[]): boolean {
  return speaksOf(words, SILENT_TEXTS);
}

/** True if a list under a name with these words says nothing about the records. */
export function isSilentList(words: readonly string[]): boolean {
  return speaksOf(words, SILENT_LISTS);
}

/** Objects beside the records that repeat the call's parameters. */
const CONTAINERS = 'query filter filters sort params parameters criteria';

/** Say nothing by themselves, nor against an idle word beside them. */
const NEUTRAL =
  'x is has was are the a an of in on by for from with to at and or out my your our value values number num count hit hits item items record records';

const always = setOf(ALWAYS);
const otherwise = setOf(ELSE);
const containers = setOf([CONTAINERS]);
const neutral = setOf([NEUTRAL]);

function setOf(groups: readonly string[]): ReadonlySet<string> {
  return new Set(groups.flatMap((group) => group.split(' ')));
}

/** True if one of the words makes a name idle, whatever its other words are. */
export function isIdleAlways(words: readonly string[]): boolean {
  return words.some((word) => always.has(word));
}

/** Words that only say that a value is an address. */
const ADDRESS_WORDS = new Set([
  'path',
  'uri',
  'url',
  'href',
  'base',
  'link',
  'links',
  'rel',
  'request',
  'query',
  'api',
  'result',
  'data',
]);

interface Addressed {
  readonly isAddress: boolean;
  /** False for an address without a query: no page is asked for with it. */
  readonly mayLead: boolean;
}

/**
 * True if a name speaks of these things: the last word is one, for it says what the thing is, or one is, and the others are known
 * to be idle: `product_customer_name`, `player_id`, `timed_out`; not `serverMarke`.
 */
function speaksOf(words: readonly string[], things: ReadonlySet<string>): boolean {
  const telling = words.filter((word) => !neutral.has(word) && !/^\d+$/.test(word));
  const isKnown = telling.every((word) => things.has(word) || otherwise.has(word));
  return things.has(telling.at(-1) ?? '') || (isKnown && telling.some((word) => things.has(word)));
}

/** True if a name without words about pages is known to be idle; the name of an address, if it leads to no page. */
export function isIdle(words: readonly string[], { isAddress, mayLead }: Addressed): boolean {
  if ((!isAddress || mayLead) && !speaksOf(words, otherwise)) return false;
  return words.some((word) => otherwise.has(word) && !(isAddress && ADDRESS_WORDS.has(word)));
}

/** True if the members of an object with these words say nothing about the listing. */
export function isIdleContainer(words: readonly string[]): boolean {
  return words.length > 0 && words.every((word) => containers.has(word));
}

/** Lists of objects that stand beside the records: JSON:API's related records, links, what failed, what describes. */
const LISTS = setOf([
  'included links link errors warnings messages notices facets aggregations columns fields actions operations tags',
]);

/** True if a list of this name never holds records. */
export function isIdleList(name: string): boolean {
  return speaksOf(wordsOf(name), LISTS);
}

/** Headers of HTTP, of its servers, proxies and browsers (RFC 9110, the IANA registry and the vendors' documentation). */
const HEADERS = new Set(
  `accept accept-ch accept-patch accept-post accept-ranges age allow alt-svc alt-used cache-control cache-status cdn-cache-control
  clear-site-data connection content-digest content-disposition content-encoding content-language content-length
  content-location content-md5 content-range content-security-policy content-security-policy-report-only content-type
  cross-origin-embedder-policy cross-origin-opener-policy cross-origin-resource-policy date deprecation dnt etag expect-ct
  expires feature-policy forwarded host keep-alive last-modified link location max-forwards mime-version nel
  origin-agent-cluster p3p permissions-policy pragma preference-applied priority proxy-authenticate proxy-connection
  origin-trial document-policy x-msedge-ref x-iinfo x-clacks-overhead x-hacker
  proxy-status public-key-pins range ratelimit ratelimit-limit ratelimit-policy ratelimit-remaining ratelimit-reset
  referrer-policy refresh report-to reporting-endpoints retry-after server server-timing set-cookie sourcemap status
  strict-transport-security sunset surrogate-control surrogate-key tcn timing-allow-origin tk trailer transfer-encoding
  upgrade upgrade-insecure-requests vary via warning www-authenticate x-accel-buffering x-accel-expires x-cache
  x-cache-hits x-cache-status x-cloud-trace-context x-content-type-options x-dns-prefetch-control x-download-options x-drupal-cache
  x-frame-options x-generator x-permitted-cross-domain-policies x-pingback x-powered-by x-robots-tag x-runtime
  x-served-by x-timer x-ua-compatible x-varnish x-webkit-csp x-xss-protection`.split(/\s+/),
);
/** The beginnings of the headers of one server or proxy each. */
const HEADER_FAMILIES = [
  'access-control-',
  'sec-',
  'cf-',
  'x-amz-',
  'x-amzn-',
  'x-azure-',
  'x-goog-',
  'x-envoy-',
  'x-kong-',
  'x-vercel-',
  'x-akamai-',
  'akamai-',
  'fastly-',
  'x-fastly-',
  'x-github-',
  'x-oauth-',
  'x-aspnet',
  'x-forwarded-',
  'x-b3-',
  'x-datadog-',
  'fly-',
  'x-nf-',
  'x-litespeed',
  'x-rate-limit',
  'x-ratelimit',
];

/** True for the name, in lower case, of a well-known header. */
export function isWellKnownHeader(name: string): boolean {
  return HEADERS.has(name) || isVendorHeader(name);
}

/** True for the name, in lower case, of a header of one server, proxy or vendor. */
export function isVendorHeader(name: string): boolean {
  return HEADER_FAMILIES.some((family) => name.startsWith(family));
}
