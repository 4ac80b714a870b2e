/** How a framework numbers its pages, where the words of its members say otherwise. `a|b` = the first that exists. */
interface Convention {
  /** Members of such an answer, in any case. */
  readonly when: readonly string[];
  /** The number of this page, its parameter, and the number of the first page. */
  readonly page?: { readonly at: string; readonly param: string; readonly first: number };
  readonly pages?: string;
  readonly total: string;
  /** The token for the next page, and its parameter. */
  readonly cursor?: { readonly at: string; readonly param: string };
  /** A flag of the last page. */
  readonly last?: string;
}

/**
 * The first row with all its members in an answer is used. Without one, words decide (role.ts). They read OData, Django
 * REST Framework, Laravel, JSON:API, HAL, Eve, Relay connections, and the tokens of Google, AWS and Azure.
 */
export const CONVENTIONS: readonly Convention[] = [
  // Spring Data: Page and Slice, as JSON or below `page`.
  {
    when: ['number|page.number', 'last|page.totalPages|totalPages', 'size|page.size'],
    page: { at: 'number|page.number', param: 'page', first: 0 },
    pages: 'totalPages|page.totalPages',
    total: 'totalElements|page.totalElements',
    last: 'last',
  },
  // json-server 1.0 with _page.
  {
    when: ['first', 'prev', 'next', 'pages', 'items'],
    cursor: { at: 'next', param: '_page' },
    total: 'items',
  },
  // Strapi 4 and 5.
  {
    when: ['meta.pagination.page', 'meta.pagination.pageCount'],
    page: { at: 'meta.pagination.page', param: 'pagination[page]', first: 1 },
    pages: 'meta.pagination.pageCount',
    total: 'meta.pagination.total',
  },
];
