/** A record of a listing. */
export interface Row {
  readonly Id: number;
  readonly Label: string;
}

/** How an API in use answers a listing. */
export interface Vendor {
  readonly name: string;
  readonly answer: (asked: Asked) => { readonly body: unknown; readonly headers?: Record<string, string> };
}

interface Asked {
  /** All records of the listing. */
  readonly rows: readonly Row[];
  readonly query: URLSearchParams;
  /** The address of the listing, and its path alone. */
  readonly here: string;
  readonly path: string;
}

function numberIn(query: URLSearchParams, name: string, otherwise: number): number {
  return Number(query.get(name) ?? otherwise);
}

const tokenOf = (offset: number) => Buffer.from(`cursor:${offset}:zz`).toString('base64url');

function offsetOf(token: string | null): number {
  return token === null ? 0 : Number(Buffer.from(token, 'base64url').toString().split(':')[1] ?? 0);
}

/** Their forms of an answer, as their documentation describes them; each pages by what it is asked with. */
export const VENDORS: readonly Vendor[] = [
  {
    name: 'Elasticsearch from/size',
    answer: ({ rows, query }) => {
      const from = numberIn(query, 'from', 0);
      const page = rows.slice(from, from + 10);
      return {
        body: {
          took: 5 + from,
          timed_out: false,
          _shards: { total: 5, successful: 5, skipped: 0, failed: 0 },
          hits: {
            total: { value: rows.length, relation: 'eq' },
            max_score: 1.0,
            hits: page.map((r) => ({ _index: 'players', _id: String(r.Id), _score: 1.0, _source: r })),
          },
        },
      };
    },
  },
  {
    name: 'OpenSearch old total',
    answer: ({ rows, query }) => {
      const from = numberIn(query, 'from', 0);
      const page = rows.slice(from, from + 10);
      return {
        body: {
          took: 3,
          timed_out: false,
          _shards: { total: 1, successful: 1, failed: 0 },
          hits: {
            total: rows.length,
            max_score: null,
            hits: page.map((r) => ({ _id: String(r.Id), _source: r, sort: [r.Id] })),
          },
        },
      };
    },
  },
  {
    name: 'ArcGIS',
    answer: ({ rows, query }) => {
      const from = numberIn(query, 'resultOffset', 0);
      const page = rows.slice(from, from + 20);
      return {
        body: {
          objectIdFieldName: 'Id',
          globalIdFieldName: '',
          fields: [
            { name: 'Id', type: 'esriFieldTypeOID', alias: 'Id' },
            { name: 'Label', type: 'esriFieldTypeString', alias: 'Label', length: 50 },
          ],
          ...(from + 20 < rows.length && { exceededTransferLimit: true }),
          features: page.map((r) => ({ attributes: r })),
        },
      };
    },
  },
  {
    name: 'Cosmos',
    answer: ({ rows, query }) => {
      const from = offsetOf(query.get('continuation'));
      const page = rows.slice(from, from + 20);
      return {
        body: { _rid: 'd9RzAJRFKgw=', Documents: page, _count: page.length },
        headers: {
          'x-ms-item-count': String(page.length),
          'x-ms-request-charge': '3.25',
          ...(from + 20 < rows.length && { 'x-ms-continuation': tokenOf(from + 20) }),
        },
      };
    },
  },
  {
    name: 'Algolia',
    answer: ({ rows, query }) => {
      const p = numberIn(query, 'page', 0);
      return {
        body: {
          hits: rows.slice(p * 20, p * 20 + 20).map((r) => ({ ...r, objectID: String(r.Id) })),
          nbHits: rows.length,
          page: p,
          nbPages: Math.ceil(rows.length / 20),
          hitsPerPage: 20,
          exhaustiveNbHits: true,
          exhaustive: { nbHits: true, typo: true },
          query: '',
          params: 'hitsPerPage=20',
          processingTimeMS: 1,
          processingTimingsMS: { total: 1 },
          serverTimeMS: 2,
        },
      };
    },
  },
  {
    name: 'SCIM',
    answer: ({ rows, query }) => {
      const s = numberIn(query, 'startIndex', 1);
      const page = rows.slice(s - 1, s + 19);
      return {
        body: {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
          totalResults: rows.length,
          startIndex: s,
          itemsPerPage: page.length,
          Resources: page,
        },
      };
    },
  },
  {
    name: 'FHIR',
    answer: ({ rows, query, here }) => {
      const o = numberIn(query, '_getpagesoffset', 0);
      const page = rows.slice(o, o + 20);
      return {
        body: {
          resourceType: 'Bundle',
          id: `b-${o}`,
          meta: { lastUpdated: '2026-11-20T03:00:00Z' },
          type: 'searchset',
          total: rows.length,
          link: [
            { relation: 'self', url: `${here}?_getpagesoffset=${o}` },
            ...(o + 20 < rows.length ? [{ relation: 'next', url: `${here}?_getpagesoffset=${o + 20}` }] : []),
          ],
          entry: page.map((r) => ({
            fullUrl: `${here}/${r.Id}`,
            resource: { resourceType: 'Device', ...r },
            search: { mode: 'match' },
          })),
        },
      };
    },
  },
  {
    name: 'OAI json',
    answer: ({ rows, query }) => {
      const from = offsetOf(query.get('resumptionToken'));
      const page = rows.slice(from, from + 20);
      return {
        body: {
          responseDate: '2026-11-20T03:00:00Z',
          request: 'https://oai.example/',
          ListRecords: {
            record: page,
            resumptionToken:
              from + 20 < rows.length
                ? { '#text': tokenOf(from + 20), cursor: from, completeListSize: rows.length }
                : { cursor: from, completeListSize: rows.length },
          },
        },
      };
    },
  },
  {
    name: 'Salesforce',
    answer: ({ rows, query, path }) => {
      const from = numberIn(query, 'at', 0);
      const page = rows.slice(from, from + 20);
      const done = from + 20 >= rows.length;
      return {
        body: {
          totalSize: rows.length,
          done,
          ...(!done && { nextRecordsUrl: `${path}?at=${from + 20}` }),
          records: page.map((r) => ({
            attributes: { type: 'Player', url: `/services/data/v61.0/sobjects/Player/${r.Id}` },
            ...r,
          })),
        },
      };
    },
  },
  {
    name: 'ServiceNow',
    answer: ({ rows, query, here }) => {
      const o = numberIn(query, 'sysparm_offset', 0);
      const l = (x: number, rel: string) => `<${here}?sysparm_limit=20&sysparm_offset=${x}>;rel="${rel}"`;
      const h = [
        l(0, 'first'),
        ...(o > 0 ? [l(o - 20, 'prev')] : []),
        ...(o + 20 < rows.length ? [l(o + 20, 'next')] : []),
        l(40, 'last'),
      ].join(',');
      return {
        body: { result: rows.slice(o, o + 20) },
        headers: { link: h, 'x-total-count': String(rows.length) },
      };
    },
  },
  {
    name: 'HubSpot',
    answer: ({ rows, query, here }) => {
      const from = numberIn(query, 'after', 0);
      const page = rows.slice(from, from + 20);
      return {
        body: {
          results: page.map((r) => ({
            id: String(r.Id),
            properties: r,
            createdAt: '2026-01-01T00:00:00Z',
            updatedAt: '2026-01-01T00:00:00Z',
            archived: false,
          })),
          ...(from + 20 < rows.length && {
            paging: { next: { after: String(from + 20), link: `${here}?after=${from + 20}` } },
          }),
        },
      };
    },
  },
  {
    name: 'Stripe',
    answer: ({ rows, query, path }) => {
      const i = query.has('starting_after')
        ? rows.findIndex((r) => String(r.Id) === query.get('starting_after')) + 1
        : 0;
      return {
        body: {
          object: 'list',
          url: path,
          has_more: i + 20 < rows.length,
          data: rows.slice(i, i + 20).map((r) => ({ id: String(r.Id), object: 'player', ...r })),
        },
      };
    },
  },
  {
    name: 'Graph',
    answer: ({ rows, query, here }) => {
      const i = numberIn(query, '$skiptoken', 0);
      return {
        body: {
          '@odata.context': 'https://graph.example/v1.0/$metadata#players',
          '@odata.count': rows.length,
          ...(i + 20 < rows.length && { '@odata.nextLink': `${here}?$skiptoken=${i + 20}` }),
          value: rows.slice(i, i + 20),
        },
      };
    },
  },
  {
    name: 'SharePoint verbose',
    answer: ({ rows, query, here }) => {
      const i = numberIn(query, '$skiptoken', 0);
      return {
        body: {
          d: {
            results: rows.slice(i, i + 20).map((r) => ({
              __metadata: { id: `${here}(${r.Id})`, uri: `${here}(${r.Id})`, etag: '"1"', type: 'SP.Data' },
              ...r,
            })),
            ...(i + 20 < rows.length && { __next: `${here}?$skiptoken=${i + 20}` }),
          },
        },
      };
    },
  },
  {
    name: 'Jira',
    answer: ({ rows, query, here }) => {
      const s = numberIn(query, 'startAt', 0);
      return {
        body: {
          self: here,
          maxResults: 20,
          startAt: s,
          total: rows.length,
          isLast: s + 20 >= rows.length,
          values: rows.slice(s, s + 20),
        },
      };
    },
  },
  {
    name: 'Jira search jql',
    answer: ({ rows, query }) => {
      const s = offsetOf(query.get('nextPageToken'));
      return {
        body: {
          issues: rows.slice(s, s + 20),
          ...(s + 20 < rows.length ? { nextPageToken: tokenOf(s + 20) } : {}),
          isLast: s + 20 >= rows.length,
        },
      };
    },
  },
  {
    name: 'Confluence',
    answer: ({ rows, query, here, path }) => {
      const s = numberIn(query, 'start', 0);
      return {
        body: {
          results: rows.slice(s, s + 20),
          start: s,
          limit: 20,
          size: Math.min(20, rows.length - s),
          _links: {
            self: here,
            base: here,
            context: '',
            ...(s + 20 < rows.length && { next: `${path}?start=${s + 20}` }),
          },
        },
      };
    },
  },
  {
    name: 'Google',
    answer: ({ rows, query }) => {
      const s = offsetOf(query.get('pageToken'));
      return {
        body: {
          kind: 'admin#players',
          etag: `"x${s}"`,
          ...(s + 20 < rows.length && { nextPageToken: tokenOf(s + 20) }),
          items: rows.slice(s, s + 20),
        },
      };
    },
  },
  {
    name: 'Google estimate',
    answer: ({ rows, query }) => {
      const s = offsetOf(query.get('pageToken'));
      return {
        body: {
          messages: rows.slice(s, s + 20),
          ...(s + 20 < rows.length && { nextPageToken: tokenOf(s + 20) }),
          resultSizeEstimate: 201,
        },
      };
    },
  },
  {
    name: 'YouTube',
    answer: ({ rows, query }) => {
      const s = offsetOf(query.get('pageToken'));
      return {
        body: {
          kind: 'yt',
          etag: 'abc',
          ...(s + 20 < rows.length && { nextPageToken: tokenOf(s + 20) }),
          ...(s > 0 && { prevPageToken: tokenOf(s - 20) }),
          regionCode: 'DE',
          pageInfo: { totalResults: rows.length, resultsPerPage: 20 },
          items: rows.slice(s, s + 20),
        },
      };
    },
  },
  {
    name: 'Slack',
    answer: ({ rows, query }) => {
      const s = offsetOf(query.get('cursor'));
      return {
        body: {
          ok: true,
          members: rows.slice(s, s + 20),
          cache_ts: 1700000000 + s,
          response_metadata: { next_cursor: s + 20 < rows.length ? tokenOf(s + 20) : '' },
        },
      };
    },
  },
  {
    name: 'Zendesk',
    answer: ({ rows, query, here }) => {
      const p = numberIn(query, 'page', 1);
      return {
        body: {
          players: rows.slice(p * 20 - 20, p * 20),
          next_page: p * 20 < rows.length ? `${here}?page=${p + 1}` : null,
          previous_page: p > 1 ? `${here}?page=${p - 1}` : null,
          count: rows.length,
        },
      };
    },
  },
  {
    name: 'Zendesk cursor',
    answer: ({ rows, query, here }) => {
      const s = offsetOf(query.get('page[after]'));
      return {
        body: {
          players: rows.slice(s, s + 20),
          meta: { has_more: s + 20 < rows.length, after_cursor: tokenOf(s + 20), before_cursor: tokenOf(s) },
          links: {
            prev: `${here}?page[before]=${tokenOf(s)}`,
            next: s + 20 < rows.length ? `${here}?page[after]=${tokenOf(s + 20)}` : null,
          },
        },
      };
    },
  },
  {
    name: 'GitHub search',
    answer: ({ rows, query, here }) => {
      const p = numberIn(query, 'page', 1);
      return {
        body: { total_count: rows.length, incomplete_results: false, items: rows.slice(p * 20 - 20, p * 20) },
        headers:
          p * 20 < rows.length
            ? { link: `<${here}?page=${p + 1}>; rel="next", <${here}?page=3>; rel="last"` }
            : { link: `<${here}?page=${p - 1}>; rel="prev", <${here}?page=1>; rel="first"` },
      };
    },
  },
  {
    name: 'GitLab',
    answer: ({ rows, query, here }) => {
      const p = numberIn(query, 'page', 1);
      const more = p * 20 < rows.length;
      return {
        body: rows.slice(p * 20 - 20, p * 20),
        headers: {
          'x-next-page': more ? String(p + 1) : '',
          'x-page': String(p),
          'x-per-page': '20',
          'x-prev-page': p > 1 ? String(p - 1) : '',
          'x-total': String(rows.length),
          'x-total-pages': '3',
          link: more ? `<${here}?page=${p + 1}>; rel="next"` : `<${here}?page=1>; rel="first"`,
        },
      };
    },
  },
  {
    name: 'Kubernetes',
    answer: ({ rows, query }) => {
      const s = offsetOf(query.get('continue'));
      return {
        body: {
          kind: 'PlayerList',
          apiVersion: 'v1',
          metadata: {
            resourceVersion: '10245',
            ...(s + 20 < rows.length && {
              continue: tokenOf(s + 20),
              remainingItemCount: rows.length - s - 20,
            }),
          },
          items: rows
            .slice(s, s + 20)
            .map((r) => ({ metadata: { name: `p-${r.Id}`, uid: String(r.Id) }, spec: r })),
        },
      };
    },
  },
  {
    name: 'Contentful',
    answer: ({ rows, query }) => {
      const s = numberIn(query, 'skip', 0);
      return {
        body: {
          sys: { type: 'Array' },
          total: rows.length,
          skip: s,
          limit: 20,
          items: rows.slice(s, s + 20),
          includes: { Asset: [{ sys: { id: 'a' } }] },
        },
      };
    },
  },
  {
    name: 'Typesense',
    answer: ({ rows, query }) => {
      const p = numberIn(query, 'page', 1);
      return {
        body: {
          facet_counts: [],
          found: rows.length,
          out_of: rows.length + 4,
          page: p,
          request_params: { collection_name: 'players', per_page: 20, q: '*' },
          search_cutoff: false,
          search_time_ms: 1,
          hits: rows.slice(p * 20 - 20, p * 20).map((r) => ({ document: r, highlight: {}, highlights: [] })),
        },
      };
    },
  },
  {
    name: 'Meilisearch',
    answer: ({ rows, query }) => {
      const s = numberIn(query, 'offset', 0);
      return { body: { results: rows.slice(s, s + 20), offset: s, limit: 20, total: rows.length } };
    },
  },
  {
    name: 'Meili search',
    answer: ({ rows, query }) => {
      const s = numberIn(query, 'offset', 0);
      return {
        body: {
          hits: rows.slice(s, s + 20),
          query: '',
          processingTimeMs: 0,
          limit: 20,
          offset: s,
          estimatedTotalHits: rows.length,
        },
      };
    },
  },
  {
    name: 'Solr',
    answer: ({ rows, query }) => {
      const s = numberIn(query, 'start', 0);
      return {
        body: {
          responseHeader: { status: 0, QTime: 2, params: { q: '*:*', rows: '20' } },
          response: { numFound: rows.length, start: s, numFoundExact: true, docs: rows.slice(s, s + 20) },
        },
      };
    },
  },
  {
    name: 'WordPress',
    answer: ({ rows, query }) => {
      const p = numberIn(query, 'page', 1);
      return {
        body: rows.slice(p * 20 - 20, p * 20),
        headers: { 'x-wp-total': String(rows.length), 'x-wp-totalpages': '3' },
      };
    },
  },
  {
    name: 'NetSuite',
    answer: ({ rows, query, here }) => {
      const s = numberIn(query, 'offset', 0);
      const more = s + 20 < rows.length;
      return {
        body: {
          links: [
            { rel: 'self', href: `${here}?offset=${s}` },
            ...(more
              ? [
                  { rel: 'next', href: `${here}?offset=${s + 20}` },
                  { rel: 'last', href: `${here}?offset=40` },
                ]
              : []),
          ],
          count: Math.min(20, rows.length - s),
          hasMore: more,
          items: rows.slice(s, s + 20),
          offset: s,
          totalResults: rows.length,
        },
      };
    },
  },
  {
    name: 'Zoho',
    answer: ({ rows, query }) => {
      const p = numberIn(query, 'page', 1);
      return {
        body: {
          data: rows.slice(p * 20 - 20, p * 20),
          info: {
            per_page: 20,
            count: Math.min(20, rows.length - p * 20 + 20),
            page: p,
            more_records: p * 20 < rows.length,
            sort_by: 'id',
            sort_order: 'desc',
          },
        },
      };
    },
  },
  {
    name: 'Airtable',
    answer: ({ rows, query }) => {
      const s = query.has('offset') ? offsetOf(query.get('offset')) : 0;
      return {
        body: {
          records: rows
            .slice(s, s + 20)
            .map((r) => ({ id: `rec${r.Id}`, createdTime: '2026-01-01T00:00:00.000Z', fields: r })),
          ...(s + 20 < rows.length && { offset: tokenOf(s + 20) }),
        },
      };
    },
  },
  {
    name: 'Notion',
    answer: ({ rows, query }) => {
      const s = offsetOf(query.get('start_cursor'));
      const more = s + 20 < rows.length;
      return {
        body: {
          object: 'list',
          results: rows.slice(s, s + 20),
          next_cursor: more ? tokenOf(s + 20) : null,
          has_more: more,
          type: 'page_or_database',
          page_or_database: {},
          request_id: `r-${s}`,
        },
      };
    },
  },
  {
    name: 'Okta',
    answer: ({ rows, query, here }) => {
      const s = numberIn(query, 'after', 0);
      return {
        body: rows.slice(s, s + 20),
        headers: {
          link: `<${here}?limit=20>; rel="self"${s + 20 < rows.length ? `, <${here}?after=${s + 20}>; rel="next"` : ''}`,
          'x-rate-limit-limit': '600',
          'x-rate-limit-remaining': '599',
          'x-rate-limit-reset': '1605463723',
        },
      };
    },
  },
  {
    name: 'DynamoDB-like',
    answer: ({ rows, query }) => {
      const s = offsetOf(query.get('ExclusiveStartKey'));
      return {
        body: {
          Items: rows.slice(s, s + 20),
          Count: Math.min(20, rows.length - s),
          ScannedCount: Math.min(20, rows.length - s),
          ...(s + 20 < rows.length && { LastEvaluatedKey: tokenOf(s + 20) }),
        },
      };
    },
  },
  {
    name: 'AWS NextToken',
    answer: ({ rows, query }) => {
      const s = offsetOf(query.get('NextToken'));
      return {
        body: { Players: rows.slice(s, s + 20), ...(s + 20 < rows.length && { NextToken: tokenOf(s + 20) }) },
      };
    },
  },
  {
    name: 'S3 list json',
    answer: ({ rows, query }) => {
      const s = offsetOf(query.get('continuation-token'));
      const more = s + 20 < rows.length;
      return {
        body: {
          Name: 'bucket',
          Prefix: '',
          MaxKeys: 20,
          KeyCount: Math.min(20, rows.length - s),
          IsTruncated: more,
          ...(more && { NextContinuationToken: tokenOf(s + 20) }),
          Contents: rows.slice(s, s + 20),
        },
      };
    },
  },
  {
    name: 'Intercom',
    answer: ({ rows, query }) => {
      const s = offsetOf(query.get('starting_after'));
      const p = s / 20 + 1;
      return {
        body: {
          type: 'list',
          data: rows.slice(s, s + 20),
          total_count: rows.length,
          pages: {
            type: 'pages',
            page: p,
            per_page: 20,
            total_pages: 3,
            ...(p < 3 && { next: { page: p + 1, starting_after: tokenOf(s + 20) } }),
          },
        },
      };
    },
  },
  {
    name: 'Dataverse',
    answer: ({ rows, query, here }) => {
      const s = numberIn(query, 'p', 0);
      return {
        body: {
          '@odata.context': 'x',
          '@Microsoft.Dynamics.CRM.totalrecordcount': -1,
          '@Microsoft.Dynamics.CRM.totalrecordcountlimitexceeded': false,
          value: rows.slice(s, s + 20),
          ...(s + 20 < rows.length && { '@odata.nextLink': `${here}?p=${s + 20}` }),
        },
      };
    },
  },
  {
    name: 'DataTables',
    answer: ({ rows, query }) => {
      const s = numberIn(query, 'start', 0);
      return {
        body: {
          draw: 1,
          recordsTotal: rows.length,
          recordsFiltered: rows.length,
          data: rows.slice(s, s + numberIn(query, 'length', 10)),
        },
      };
    },
  },
  {
    name: 'Laravel',
    answer: ({ rows, query, here }) => {
      const p = numberIn(query, 'page', 1);
      return {
        body: {
          current_page: p,
          data: rows.slice(p * 15 - 15, p * 15),
          first_page_url: `${here}?page=1`,
          from: p * 15 - 14,
          last_page: Math.ceil(rows.length / 15),
          last_page_url: `${here}?page=4`,
          links: [
            { url: null, label: '« Previous', active: false },
            { url: `${here}?page=1`, label: '1', active: true },
          ],
          next_page_url: p * 15 < rows.length ? `${here}?page=${p + 1}` : null,
          path: here,
          per_page: 15,
          prev_page_url: null,
          to: Math.min(p * 15, rows.length),
          total: rows.length,
        },
      };
    },
  },
  {
    name: 'Spring',
    answer: ({ rows, query }) => {
      const p = numberIn(query, 'page', 0);
      const c = rows.slice(p * 20, p * 20 + 20);
      return {
        body: {
          content: c,
          pageable: {
            sort: { sorted: false, unsorted: true, empty: true },
            offset: p * 20,
            pageNumber: p,
            pageSize: 20,
            paged: true,
            unpaged: false,
          },
          totalPages: Math.ceil(rows.length / 20),
          totalElements: rows.length,
          last: p * 20 + 20 >= rows.length,
          size: 20,
          number: p,
          sort: { sorted: false, unsorted: true, empty: true },
          first: p === 0,
          numberOfElements: c.length,
          empty: c.length === 0,
        },
      };
    },
  },
  {
    name: 'Broadsign-like',
    answer: ({ rows }) => ({
      body: {
        host: rows.map((r) => ({ id: r.Id, name: r.Label, domain_id: 4711, container_id: 0, active: true })),
        not_modified_since: '2026-11-20T03:00:00',
      },
    }),
  },
  {
    name: 'Xibo-like',
    answer: ({ rows, query }) => {
      const s = numberIn(query, 'start', 0);
      return {
        body: rows.slice(s, s + numberIn(query, 'length', 10)),
        headers: { 'x-total-count': String(rows.length) },
      };
    },
  },
  {
    name: 'Yodeck-like',
    answer: ({ rows, query, here }) => {
      const o = numberIn(query, 'offset', 0);
      return {
        body: {
          count: rows.length,
          next: o + 10 < rows.length ? `${here}?limit=10&offset=${o + 10}` : null,
          previous: null,
          results: rows.slice(o, o + 10),
        },
      };
    },
  },
  {
    name: 'Screenly-like PostgREST',
    answer: ({ rows, query }) => {
      const o = numberIn(query, 'offset', 0);
      const c = rows.slice(o, o + 20);
      return { body: c, headers: { 'content-range': `${o}-${o + c.length - 1}/*` } };
    },
  },
];
