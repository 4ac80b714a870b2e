/** How a framework announces the next page. Names are members in any case; `a|b` = the first that exists. */
export interface Convention {
  readonly name: string;
  /** Frameworks, vendors and proxies with such answers. */
  readonly seenIn: string;
  /** Members of such an answer. `header:NAME` is a header. */
  readonly when: readonly string[];
  /** The address of the next page. */
  readonly next?: string;
  /** The token for the next page, and its parameter. */
  readonly cursor?: { readonly at: string; readonly param: string };
  /** Whether there is more; `!NAME` means the opposite. */
  readonly more?: string;
  /** The number of this page; `first` is that of the first page. */
  readonly page?: { readonly at: string; readonly param: string; readonly first?: number };
  readonly pages?: string;
  readonly total?: string;
}

/**
 * The first row with all its members in an answer is used. Without one, words decide (role.ts). They read the tokens
 * of Google, AWS and Azure, and the pages of FastAPI and Litestar, without a row.
 */
export const CONVENTIONS: readonly Convention[] = [
  {
    name: 'odata',
    seenIn: 'OData 2 to 4: Microsoft Graph, Dynamics, SAP',
    when: ['@odata.context|@odata.nextLink|@odata.count|odata.metadata|odata.nextLink|d.__next|d.__count'],
    next: '@odata.nextLink|odata.nextLink|d.__next',
    total: '@odata.count|odata.count|d.__count',
  },
  {
    name: 'spring',
    seenIn: 'Spring Data: Page and Slice, as JSON or below `page`',
    when: ['number|page.number', 'last|page.totalPages|totalPages', 'size|page.size'],
    next: '_links.next.href',
    page: { at: 'number|page.number', param: 'page', first: 0 },
    pages: 'totalPages|page.totalPages',
    total: 'totalElements|page.totalElements',
    more: '!last',
  },
  {
    name: 'eve',
    seenIn: 'Eve',
    when: ['_meta.page', '_meta.max_results'],
    next: '_links.next.href',
    page: { at: '_meta.page', param: 'page' },
    total: '_meta.total',
  },
  {
    name: 'json-server',
    seenIn: 'json-server 1.0 with _page',
    when: ['first', 'prev', 'next', 'pages', 'items'],
    cursor: { at: 'next', param: '_page' },
    total: 'items',
  },
  {
    name: 'django-rest-framework',
    seenIn: 'Django REST Framework: page, limit and cursor pagination',
    when: ['next', 'previous'],
    next: 'next',
    total: 'count',
  },
  {
    name: 'strapi',
    seenIn: 'Strapi 4 and 5',
    when: ['meta.pagination.page', 'meta.pagination.pageCount'],
    page: { at: 'meta.pagination.page', param: 'pagination[page]', first: 1 },
    pages: 'meta.pagination.pageCount',
    total: 'meta.pagination.total',
  },
  {
    name: 'laravel',
    seenIn: 'Laravel: paginator and API resources',
    when: ['current_page|meta.current_page', 'per_page|meta.per_page'],
    next: 'next_page_url|links.next',
    page: { at: 'current_page|meta.current_page', param: 'page' },
    pages: 'last_page|meta.last_page',
    total: 'total|meta.total',
  },
  {
    name: 'json-api',
    seenIn: 'JSON:API',
    when: ['jsonapi.version|links.self|links.first', 'links.next|links.last|links.self'],
    next: 'links.next|links.next.href',
    total: 'meta.total|meta.totalCount|meta.count|meta.page.total|meta.pagination.total',
  },
  {
    name: 'hal',
    seenIn: 'HAL',
    when: ['_links.self.href|_links.next.href'],
    next: '_links.next.href',
    page: { at: 'page', param: 'page' },
    pages: 'pages|totalPages|total_pages',
    total: 'total|totalCount|total_count|totalItems',
  },
  {
    name: 'graphql-connection',
    seenIn: 'Relay connections over GET',
    when: ['data.*.pageInfo.hasNextPage|pageInfo.hasNextPage'],
    cursor: { at: 'data.*.pageInfo.endCursor|pageInfo.endCursor', param: 'after' },
    more: 'data.*.pageInfo.hasNextPage|pageInfo.hasNextPage',
    total: 'data.*.totalCount|totalCount',
  },
];
