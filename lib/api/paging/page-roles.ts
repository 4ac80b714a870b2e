/** Something that an answer says about its paging, and the member or header that says it. */
export interface Fact<T> {
  readonly name: string;
  readonly value: T;
}

export type NumberRole = 'page' | 'pages' | 'pageSize' | 'offset' | 'limit' | 'total';

/** What a member or header beside the records says: `last` is the opposite of `more`. */
export type Role = NumberRole | 'next' | 'token' | 'more' | 'last';

/** Names by role; in lower case without `_` and `-`. */
const NAMES: Readonly<Record<Role, readonly string[]>> = {
  next: [
    '@odata.nextlink',
    'odata.nextlink',
    'nextlink',
    'next',
    'nexturl',
    'nexturi',
    'nextpage',
    'nextpageurl',
    'nexthref',
    'nextrecordsurl',
  ],
  token: [
    'cursor',
    'nextcursor',
    'endcursor',
    'marker',
    'nextmarker',
    'nexttoken',
    'nextpagetoken',
    'nextoffset',
    'nextstart',
    'nextskip',
    'nextkey',
    'continuation',
    'continuationtoken',
    'resumptiontoken',
    'lastevaluatedkey',
  ],
  more: [
    'hasmore',
    'hasnext',
    'hasnextpage',
    'more',
    'moreavailable',
    'istruncated',
    'truncated',
    'remaining',
  ],
  last: ['islast', 'islastpage', 'last', 'done', 'finished'],
  page: ['page', 'currentpage', 'pagenumber', 'pageindex'],
  pages: ['pages', 'totalpages', 'pagecount', 'lastpage'],
  pageSize: ['itemsperpage', 'perpage', 'pagesize'],
  offset: ['offset', 'skip', 'startindex'],
  limit: ['limit', 'top', 'take'],
  total: [
    'total',
    'totalcount',
    'totalitems',
    'totalitemcount',
    'totalrecords',
    'totalresults',
    'totalelements',
    'totalrows',
    'totalsize',
    'totalhits',
    'recordstotal',
    '@odata.count',
    'odata.count',
    'count',
  ],
};

/** Names that a role has only in an object of this name. */
const WITHIN: Readonly<Record<string, Readonly<Record<string, Role>>>> = {
  // Spring's.
  page: { number: 'page', size: 'pageSize' },
  paging: { after: 'token' },
  cursors: { after: 'token' },
};

const ROLES = new Map<string, Role>(
  Object.entries(NAMES).flatMap(([role, names]) => names.map((name) => [name, role as Role] as const)),
);

/** Objects beside the records that may hold such members, one in another too. */
const NESTS = new Set([
  'meta',
  'metadata',
  'pagination',
  'paging',
  'page',
  'pageinfo',
  'pager',
  'links',
  'cursors',
  'resultinfo',
]);

/** The role of a member, in an object of that name. */
export function roleOf(name: string, within = ''): Role | undefined {
  return ROLES.get(plain(name)) ?? WITHIN[plain(within)]?.[plain(name)];
}

export function mayHoldFacts(name: string): boolean {
  return NESTS.has(plain(name));
}

/** Whether a member of that name may be a list of links, each with its relation. */
export function mayListLinks(name: string): boolean {
  return ['link', 'links'].includes(plain(name));
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}
