/**
 * The only list of words. Words of a fact's name decide its role (read/role.ts), and words of name and value
 * a failure (read/failure.ts).
 */

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Words for what comes next, and for other pages. */
export const NEXT = set('next following subsequent older forward continue continuation resume resumption');
export const ELSEWHERE = set('prev previous prior self newer back backward backwards before');
export const FIRST = set('first begin beginning');
export const END = set('last final done finished complete completed exhausted end eof');
export const MORE = set('more remaining additional further');

/** Words for the token of a page. */
export const TOKEN = set('token cursor marker bookmark continuation scroll after resumption');
/** They make a token after `last` or `next`: `lastEvaluatedKey`. */
export const KEYS = set('key id position iteration');
export const VALUE = set('value string text');
export const PAGE = set('page pages pg paging pagination');
export const SIZE = set('size limit per length take top window batch chunk');
export const OFFSET = set('offset skip start from');

/** Words for numbers of records. */
export const TOTAL = set('total totals count counts found hits matched matches matching overall');
export const NUMBER = set('num number no amount');
export const THINGS = set(
  'item items record records row rows result results entry entries element elements object objects document documents doc docs hit hits',
);
/** With these a number means yes or no: `hasMore: 1`. */
export const ASKS = set('is has have');
/** Other words that a flag about pages may have: `hasMoreRows`, `moreDataAvailable`. */
export const OF_FLAGS = set(
  'is has have are there any no available exist exists left to of the data list listing reached truncated incomplete',
);

/** The listings of both APIs, one word each: a count of another listing is not a total of this one. */
export const LISTINGS = set(
  'player players screen screens licence licences license licenses group groups transfer transfers file files slot slots storage storages price prices site sites location locations user users',
);

/** Words for failures, and for how a call ended. */
export const FAULTS = set(
  'error errors err fault faults exception exceptions failure failures failed fail aborted',
);
export const CUT = set('truncated exceeded');
/** The answer is incomplete because something failed. */
export const PARTIAL = set('partial incomplete degraded');
export const SUCCESSES = set('success succeeded ok');
export const ENDS = set('status state result outcome code');
export const MESSAGES = set(
  'message msg messages detail details reason description text title info comment note notes',
);
/** Values of a status that mean failure. */
export const BAD = set(
  'error errors fail failed failure nok ko err fault exception timeout unavailable denied rejected degraded aborted partial incomplete',
);
/** Values that say that nothing is wrong. */
export const HEALTHY = set(
  'none no ok success successful succeeded null nil n/a na false 0 200 done complete completed',
);
const OF_NONE = set(
  'zero empty any is are was were there has have found available a an the for of in on this list data yet',
);
/** Only these are in a sentence that says that there are none: `No screens found for this player`. */
export const NONE_SAID = new Set([...HEALTHY, ...THINGS, ...LISTINGS, ...OF_NONE]);

/** Harmless words that win over words of pages: `x-rate-limit-remaining`, `next_run_time`. */
export const HARMLESS_ALWAYS = set(
  'rate ratelimit quota throttle throttling credits allowance retry took elapsed duration latency runtime ms millis milliseconds seconds nanos uptime timing trace tracing span correlation traceparent tracestate checksum digest etag signature csrf xsrf nonce timestamp shards',
);
/** What differs from call to call without a fault: ids, times, versions, and who answered. */
export const VARYING = set(
  'empty any id uuid guid request trace span correlation time date timestamp at now version revision build release server node host hostname instance replica worker region datacenter pod backend cache cached ttl age',
);
/**
 * Words that do not speak of records: which call it was, how long it took, who answered in which version.
 * Also what the call wanted, and how many calls are left.
 */
export const HARMLESS: ReadonlySet<string> = new Set([
  ...HARMLESS_ALWAYS,
  ...VARYING,
  ...set(`amzn response invocation transaction session conversation operation ray call ids datetime generated created
  updated modified expires expiry api schema context type kind format encoding charset language lang
  locale currency unit units timezone zone media copyright license licence disclaimer attribution
  documentation docs doc help support name phrase label contact view
  mode provider source vendor upstream scope level brand category style theme channel stage role method
  protocol platform country city environment env served machine shard edge pop cluster tenant account
  organization organisation company owner service application app product powered generator domain debug
  deprecated deprecation beta demo sandbox readonly sort sorted order orderby direction fields select expand
  path uri url href base link links self params parameters criteria template rel paged`),
]);
/** Future events that are not pages: `nextUpdate`, `nextRun`. */
export const EVENTS = set('update refresh run sync poll maintenance check reset execution backup');
/** Objects that repeat the call or describe the columns: their members are not read. */
export const ASIDE = set('query filter filters sort params parameters criteria columns fields links link');
/** Members that mean the object around them: `next: {"href": "…"}`. */
export const STANDS_FOR = set('href url uri link path value parsed source token id');
/** Objects with a name that belongs to their members: `_links.next.href`, `pagination.next`. */
export const DIRECTIONS = set('next prev previous first last self older newer');

/** The parameter of a token that has another name (DynamoDB). */
export const TOKEN_PARAMS: Readonly<Record<string, readonly string[]>> = {
  lastevaluatedkey: ['ExclusiveStartKey'],
};

/** Query parameters of real servers for further pages, the most usual first. */
export const PAGE_PARAMS =
  'page __page _page pageNumber pagination[page] current_page page_number p pageIndex pageNum pageNo currentPage page_num page_no page_index pg current'.split(
    ' ',
  );
export const OFFSET_PARAMS =
  'offset skip $skip start _start startIndex from startAt start_index first_result firstResult first SkipCount'.split(
    ' ',
  );
export const CURSOR_PARAMS =
  'cursor after token pageToken page_token continuationToken continuation marker next'.split(' ');
