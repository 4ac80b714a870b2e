/** A record of a listing. */
export interface Row {
  readonly Id: number;
  readonly Label: string;
}

type Headers = Readonly<Record<string, string>>;

/** How an API in use answers a listing. */
export interface Vendor {
  readonly name: string;
  readonly answer: (asked: Asked) => { readonly body: unknown; readonly headers?: Headers };
}

interface Asked {
  /** All records of the listing. */
  readonly rows: readonly Row[];
  readonly query: URLSearchParams;
  /** The address of the listing, and its path alone. */
  readonly here: string;
  readonly path: string;
}

/** A part of a listing. */
interface Part extends Asked {
  readonly total: number;
  /** The place of its first record among all, and that of the next part. */
  readonly at: number;
  readonly next: number;
  readonly more: boolean;
  /** Its number, as the API counts. */
  readonly page: number;
}

/** Where a call says which part it asks for. */
interface By {
  readonly at: (asked: Asked) => number;
  /** @default 20 */
  readonly size?: number;
  /** The parameter with which a call asks for another size. */
  readonly sizedBy?: string;
  /** The number of the first page. */
  readonly first?: number;
}

const tokenOf = (offset: number) => Buffer.from(`cursor:${offset}:zz`).toString('base64url');

const offset = (name: string, first = 0, size = 20): By => ({
  at: ({ query }) => Number(query.get(name) ?? first) - first,
  size,
});
const page = (first: number, size = 20): By => ({
  at: ({ query }) => (Number(query.get('page') ?? first) - first) * size,
  ...{ size, first },
});
const token = (name: string): By => ({
  at: ({ query }) =>
    Number(
      Buffer.from(query.get(name) ?? '', 'base64url')
        .toString()
        .split(':')[1] ?? 0,
    ),
});
const start: By = { ...offset('start', 0, 10), sizedBy: 'length' };
const after: By = {
  at: ({ rows, query }) => rows.findIndex((row) => String(row.Id) === query.get('starting_after')) + 1,
};

function vendor(
  name: string,
  { at: placeOf, size: usual = 20, sizedBy = '', first = 1 }: By,
  body: (part: Part) => unknown,
  headers?: (part: Part) => Headers,
): Vendor {
  return {
    name,
    answer: (asked) => {
      const [at, total] = [placeOf(asked), asked.rows.length];
      const size = Number(asked.query.get(sizedBy) ?? usual);
      const next = at + size;
      const more = next < total;
      const part = { ...asked, rows: asked.rows.slice(at, next), total, at, next, more };
      const numbered = { ...part, page: at / size + first };
      return { body: body(numbered), ...(headers && { headers: headers(numbered) }) };
    },
  };
}

/** Their forms of an answer, as their documentation describes them; each pages by what it is asked with. */
export const VENDORS: readonly Vendor[] = [
  vendor('Elasticsearch from/size', offset('from', 0, 10), ({ rows, total, at }) => ({
    ...{ took: 5 + at, timed_out: false, _shards: { total: 5, successful: 5, skipped: 0, failed: 0 } },
    hits: {
      ...{ total: { value: total, relation: 'eq' }, max_score: 1.0 },
      hits: rows.map((r) => ({ _index: 'players', _id: String(r.Id), _score: 1.0, _source: r })),
    },
  })),
  vendor('OpenSearch old total', offset('from', 0, 10), ({ rows, total }) => ({
    ...{ took: 3, timed_out: false, _shards: { total: 1, successful: 1, failed: 0 } },
    hits: {
      ...{ total, max_score: null },
      hits: rows.map((r) => ({ _id: String(r.Id), _source: r, sort: [r.Id] })),
    },
  })),
  vendor('ArcGIS', offset('resultOffset'), ({ rows, more }) => ({
    ...{ objectIdFieldName: 'Id', globalIdFieldName: '' },
    fields: [
      { name: 'Id', type: 'esriFieldTypeOID', alias: 'Id' },
      { name: 'Label', type: 'esriFieldTypeString', alias: 'Label', length: 50 },
    ],
    ...(more && { exceededTransferLimit: true }),
    features: rows.map((r) => ({ attributes: r })),
  })),
  vendor(
    'Cosmos',
    token('continuation'),
    ({ rows }) => ({ _rid: 'd9RzAJRFKgw=', Documents: rows, _count: rows.length }),
    ({ rows, more, next }) => ({
      ...{ 'x-ms-item-count': String(rows.length), 'x-ms-request-charge': '3.25' },
      ...(more && { 'x-ms-continuation': tokenOf(next) }),
    }),
  ),
  vendor('Algolia', page(0), ({ rows, total, page: number }) => ({
    hits: rows.map((r) => ({ ...r, objectID: String(r.Id) })),
    ...{ nbHits: total, page: number, nbPages: Math.ceil(total / 20), hitsPerPage: 20 },
    ...{
      exhaustiveNbHits: true,
      exhaustive: { nbHits: true, typo: true },
      query: '',
      params: 'hitsPerPage=20',
    },
    ...{ processingTimeMS: 1, processingTimingsMS: { total: 1 }, serverTimeMS: 2 },
  })),
  vendor('SCIM', offset('startIndex', 1), ({ rows, total, at }) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    ...{ totalResults: total, startIndex: at + 1, itemsPerPage: rows.length, Resources: rows },
  })),
  vendor('FHIR', offset('_getpagesoffset'), ({ rows, total, at, next, more, here }) => ({
    ...{ resourceType: 'Bundle', id: `b-${at}`, meta: { lastUpdated: '2026-11-20T03:00:00Z' } },
    ...{ type: 'searchset', total },
    link: [
      { relation: 'self', url: `${here}?_getpagesoffset=${at}` },
      ...(more ? [{ relation: 'next', url: `${here}?_getpagesoffset=${next}` }] : []),
    ],
    entry: rows.map((r) => ({
      fullUrl: `${here}/${r.Id}`,
      resource: { resourceType: 'Device', ...r },
      search: { mode: 'match' },
    })),
  })),
  vendor('OAI json', token('resumptionToken'), ({ rows, total, at, next, more }) => ({
    ...{ responseDate: '2026-11-20T03:00:00Z', request: 'https://oai.example/' },
    ListRecords: {
      record: rows,
      resumptionToken: { ...(more && { '#text': tokenOf(next) }), cursor: at, completeListSize: total },
    },
  })),
  vendor('Salesforce', offset('at'), ({ rows, total, more, path, next }) => ({
    ...{ totalSize: total, done: !more, ...(more && { nextRecordsUrl: `${path}?at=${next}` }) },
    records: rows.map((r) => ({
      attributes: { type: 'Player', url: `/services/data/v61.0/sobjects/Player/${r.Id}` },
      ...r,
    })),
  })),
  vendor(
    'ServiceNow',
    offset('sysparm_offset'),
    ({ rows }) => ({ result: rows }),
    ({ at, next, more, total, here }) => {
      const link = (to: number, rel: string) =>
        `<${here}?sysparm_limit=20&sysparm_offset=${to}>;rel="${rel}"`;
      const beside = [...(at > 0 ? [link(at - 20, 'prev')] : []), ...(more ? [link(next, 'next')] : [])];
      return {
        link: [link(0, 'first'), ...beside, link(40, 'last')].join(','),
        'x-total-count': String(total),
      };
    },
  ),
  vendor('HubSpot', offset('after'), ({ rows, more, next, here }) => ({
    results: rows.map((r) => ({
      ...{ id: String(r.Id), properties: r, archived: false },
      ...{ createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' },
    })),
    ...(more && { paging: { next: { after: String(next), link: `${here}?after=${next}` } } }),
  })),
  vendor('Stripe', after, ({ rows, more, path }) => ({
    ...{ object: 'list', url: path, has_more: more },
    data: rows.map((r) => ({ id: String(r.Id), object: 'player', ...r })),
  })),
  vendor('Graph', offset('$skiptoken'), ({ rows, total, more, next, here }) => ({
    ...{ '@odata.context': 'https://graph.example/v1.0/$metadata#players', '@odata.count': total },
    ...(more && { '@odata.nextLink': `${here}?$skiptoken=${next}` }),
    value: rows,
  })),
  vendor('SharePoint verbose', offset('$skiptoken'), ({ rows, more, next, here }) => ({
    d: {
      results: rows.map((r) => ({
        __metadata: { id: `${here}(${r.Id})`, uri: `${here}(${r.Id})`, etag: '"1"', type: 'SP.Data' },
        ...r,
      })),
      ...(more && { __next: `${here}?$skiptoken=${next}` }),
    },
  })),
  vendor('Jira', offset('startAt'), ({ rows, total, at, more, here }) => ({
    ...{ self: here, maxResults: 20, startAt: at, total, isLast: !more, values: rows },
  })),
  vendor('Jira search jql', token('nextPageToken'), ({ rows, more, next }) => ({
    ...{ issues: rows, ...(more && { nextPageToken: tokenOf(next) }), isLast: !more },
  })),
  vendor('Confluence', offset('start'), ({ rows, at, more, next, here, path }) => ({
    ...{ results: rows, start: at, limit: 20, size: rows.length },
    _links: { self: here, base: here, context: '', ...(more && { next: `${path}?start=${next}` }) },
  })),
  vendor('Google', token('pageToken'), ({ rows, at, more, next }) => ({
    ...{ kind: 'admin#players', etag: `"x${at}"` },
    ...(more && { nextPageToken: tokenOf(next) }),
    items: rows,
  })),
  vendor('Google estimate', token('pageToken'), ({ rows, more, next }) => ({
    ...{ messages: rows, ...(more && { nextPageToken: tokenOf(next) }), resultSizeEstimate: 201 },
  })),
  vendor('YouTube', token('pageToken'), ({ rows, total, at, more, next }) => ({
    ...{ kind: 'yt', etag: 'abc' },
    ...(more && { nextPageToken: tokenOf(next) }),
    ...(at > 0 && { prevPageToken: tokenOf(at - 20) }),
    ...{ regionCode: 'DE', pageInfo: { totalResults: total, resultsPerPage: 20 }, items: rows },
  })),
  vendor('Slack', token('cursor'), ({ rows, at, more, next }) => ({
    ...{ ok: true, members: rows, cache_ts: 1700000000 + at },
    response_metadata: { next_cursor: more ? tokenOf(next) : '' },
  })),
  vendor('Zendesk', page(1), ({ rows, total, page: number, more, here }) => ({
    players: rows,
    next_page: more ? `${here}?page=${number + 1}` : null,
    previous_page: number > 1 ? `${here}?page=${number - 1}` : null,
    count: total,
  })),
  vendor('Zendesk cursor', token('page[after]'), ({ rows, at, more, next, here }) => ({
    players: rows,
    meta: { has_more: more, after_cursor: tokenOf(next), before_cursor: tokenOf(at) },
    links: {
      prev: `${here}?page[before]=${tokenOf(at)}`,
      next: more ? `${here}?page[after]=${tokenOf(next)}` : null,
    },
  })),
  vendor(
    'GitHub search',
    page(1),
    ({ rows, total }) => ({ total_count: total, incomplete_results: false, items: rows }),
    ({ more, page: number, here }) => ({
      link: more
        ? `<${here}?page=${number + 1}>; rel="next", <${here}?page=3>; rel="last"`
        : `<${here}?page=${number - 1}>; rel="prev", <${here}?page=1>; rel="first"`,
    }),
  ),
  vendor(
    'GitLab',
    page(1),
    ({ rows }) => rows,
    ({ more, page: number, total, here }) => ({
      ...{ 'x-next-page': more ? String(number + 1) : '', 'x-page': String(number), 'x-per-page': '20' },
      'x-prev-page': number > 1 ? String(number - 1) : '',
      ...{ 'x-total': String(total), 'x-total-pages': '3' },
      link: more ? `<${here}?page=${number + 1}>; rel="next"` : `<${here}?page=1>; rel="first"`,
    }),
  ),
  vendor('Kubernetes', token('continue'), ({ rows, total, more, next }) => ({
    ...{ kind: 'PlayerList', apiVersion: 'v1' },
    metadata: {
      resourceVersion: '10245',
      ...(more && { continue: tokenOf(next), remainingItemCount: total - next }),
    },
    items: rows.map((r) => ({ metadata: { name: `p-${r.Id}`, uid: String(r.Id) }, spec: r })),
  })),
  vendor('Contentful', offset('skip'), ({ rows, total, at }) => ({
    ...{ sys: { type: 'Array' }, total, skip: at, limit: 20, items: rows },
    includes: { Asset: [{ sys: { id: 'a' } }] },
  })),
  vendor('Typesense', page(1), ({ rows, total, page: number }) => ({
    ...{ facet_counts: [], found: total, out_of: total + 4, page: number },
    request_params: { collection_name: 'players', per_page: 20, q: '*' },
    ...{ search_cutoff: false, search_time_ms: 1 },
    hits: rows.map((r) => ({ document: r, highlight: {}, highlights: [] })),
  })),
  vendor('Meilisearch', offset('offset'), ({ rows, total, at }) => ({
    ...{ results: rows, offset: at, limit: 20, total },
  })),
  vendor('Meili search', offset('offset'), ({ rows, total, at }) => ({
    ...{ hits: rows, query: '', processingTimeMs: 0, limit: 20, offset: at, estimatedTotalHits: total },
  })),
  vendor('Solr', offset('start'), ({ rows, total, at }) => ({
    responseHeader: { status: 0, QTime: 2, params: { q: '*:*', rows: '20' } },
    response: { numFound: total, start: at, numFoundExact: true, docs: rows },
  })),
  vendor(
    'WordPress',
    page(1),
    ({ rows }) => rows,
    ({ total }) => ({ 'x-wp-total': String(total), 'x-wp-totalpages': '3' }),
  ),
  vendor('NetSuite', offset('offset'), ({ rows, total, at, more, next, here }) => {
    const further = [
      { rel: 'next', href: `${here}?offset=${next}` },
      { rel: 'last', href: `${here}?offset=40` },
    ];
    const links = [{ rel: 'self', href: `${here}?offset=${at}` }, ...(more ? further : [])];
    return { links, count: rows.length, hasMore: more, items: rows, offset: at, totalResults: total };
  }),
  vendor('Zoho', page(1), ({ rows, page: number, more }) => ({
    data: rows,
    info: {
      ...{ per_page: 20, count: rows.length, page: number, more_records: more },
      ...{ sort_by: 'id', sort_order: 'desc' },
    },
  })),
  vendor('Airtable', token('offset'), ({ rows, more, next }) => ({
    records: rows.map((r) => ({ id: `rec${r.Id}`, createdTime: '2026-01-01T00:00:00.000Z', fields: r })),
    ...(more && { offset: tokenOf(next) }),
  })),
  vendor('Notion', token('start_cursor'), ({ rows, at, more, next }) => ({
    ...{ object: 'list', results: rows, next_cursor: more ? tokenOf(next) : null, has_more: more },
    ...{ type: 'page_or_database', page_or_database: {}, request_id: `r-${at}` },
  })),
  vendor(
    'Okta',
    offset('after'),
    ({ rows }) => rows,
    ({ more, next, here }) => ({
      link: `<${here}?limit=20>; rel="self"${more ? `, <${here}?after=${next}>; rel="next"` : ''}`,
      ...{ 'x-rate-limit-limit': '600', 'x-rate-limit-remaining': '599', 'x-rate-limit-reset': '1605463723' },
    }),
  ),
  vendor('DynamoDB-like', token('ExclusiveStartKey'), ({ rows, more, next }) => ({
    ...{ Items: rows, Count: rows.length, ScannedCount: rows.length },
    ...(more && { LastEvaluatedKey: tokenOf(next) }),
  })),
  vendor('AWS NextToken', token('NextToken'), ({ rows, more, next }) => ({
    Players: rows,
    ...(more && { NextToken: tokenOf(next) }),
  })),
  vendor('S3 list json', token('continuation-token'), ({ rows, more, next }) => ({
    ...{ Name: 'bucket', Prefix: '', MaxKeys: 20, KeyCount: rows.length, IsTruncated: more },
    ...(more && { NextContinuationToken: tokenOf(next) }),
    Contents: rows,
  })),
  vendor('Intercom', token('starting_after'), ({ rows, total, page: number, next }) => ({
    ...{ type: 'list', data: rows, total_count: total },
    pages: {
      ...{ type: 'pages', page: number, per_page: 20, total_pages: 3 },
      ...(number < 3 && { next: { page: number + 1, starting_after: tokenOf(next) } }),
    },
  })),
  vendor('Dataverse', offset('p'), ({ rows, more, next, here }) => ({
    ...{ '@odata.context': 'x', '@Microsoft.Dynamics.CRM.totalrecordcount': -1 },
    ...{ '@Microsoft.Dynamics.CRM.totalrecordcountlimitexceeded': false, value: rows },
    ...(more && { '@odata.nextLink': `${here}?p=${next}` }),
  })),
  vendor('DataTables', start, ({ rows, total }) => ({
    ...{ draw: 1, recordsTotal: total, recordsFiltered: total, data: rows },
  })),
  vendor('Laravel', page(1, 15), ({ rows, total, at, next, more, page: number, here }) => ({
    ...{ current_page: number, data: rows, first_page_url: `${here}?page=1`, from: at + 1 },
    ...{ last_page: Math.ceil(total / 15), last_page_url: `${here}?page=4` },
    links: [
      { url: null, label: '« Previous', active: false },
      { url: `${here}?page=1`, label: '1', active: true },
    ],
    next_page_url: more ? `${here}?page=${number + 1}` : null,
    ...{ path: here, per_page: 15, prev_page_url: null, to: Math.min(next, total), total },
  })),
  vendor('Spring', page(0), ({ rows, total, at, page: number, more }) => {
    const sort = { sorted: false, unsorted: true, empty: true };
    return {
      content: rows,
      pageable: { sort, offset: at, pageNumber: number, pageSize: 20, paged: true, unpaged: false },
      ...{ totalPages: Math.ceil(total / 20), totalElements: total, last: !more, size: 20, number, sort },
      ...{ first: number === 0, numberOfElements: rows.length, empty: rows.length === 0 },
    };
  }),
  vendor('Broadsign-like', { at: () => 0, size: 1000 }, ({ rows }) => ({
    host: rows.map((r) => ({ id: r.Id, name: r.Label, domain_id: 4711, container_id: 0, active: true })),
    not_modified_since: '2026-11-20T03:00:00',
  })),
  vendor(
    'Xibo-like',
    start,
    ({ rows }) => rows,
    ({ total }) => ({ 'x-total-count': String(total) }),
  ),
  vendor('Yodeck-like', offset('offset', 0, 10), ({ rows, total, more, next, here }) => ({
    ...{ count: total, next: more ? `${here}?limit=10&offset=${next}` : null, previous: null, results: rows },
  })),
  vendor(
    'Screenly-like PostgREST',
    offset('offset'),
    ({ rows }) => rows,
    ({ at, rows }) => ({ 'content-range': `${at}-${at + rows.length - 1}/*` }),
  ),
];
