import { expect, test } from 'vitest';
import { fetchFrom, json, serve } from './support/serve.ts';

const SOME = Array.from({ length: 7 }, (_, index) => ({ Id: index, Name: `Player ${index}` }));
const LOCK = { envelope: 'players', paging: 'none', beside: ['requestId', 'message'], evidence: [] };

/** How a listing of players ends that is answered with these members beside them. */
async function endOf(beside: object, more: Parameters<typeof fetchFrom>[2] = {}) {
  await using server = await serve((_, response) =>
    json(response, JSON.stringify({ players: SOME, ...beside })),
  );
  const { end } = await fetchFrom(server.url, 'players', more);
  return end;
}

const ignoring = (ignore: readonly string[]) => ({
  source: { resources: { players: { ignore, columns: {}, drop: [], mask: [] } } },
});

const TOLD: Readonly<Record<string, unknown>> = {
  fehler: 'Knoten 3 antwortet nicht',
  notice: 'Results were limited to 7 by your plan',
  remarks: 'Upstream B did not reply in time',
  nachricht: '一个节点没有响应',
  furtherIds: [8, 9],
  remaining: ['8', '9'],
  skipped: ['node3'],
  status: 206,
  state: 'in_progress',
  reason: 'asleep',
  quota: 'Only the first seven are shown',
  erfolg: { hinweis: 'Es fehlen zwei Knoten' },
  // Beside a link, but not about it.
  verweise: { mehr: { href: '/help', grund: { text: 'Es fehlen zwei Knoten' } } },
  felder: ['Id', 'Zone'],
  zustand: ['player'],
  // The server chose among the records by what nobody asked for.
  filtered: true,
  filteredOut: 15,
  filters: ['status:active'],
  appliedFilter: 'active',
  filter: { city: 'Berlin' },
  query: { status: 'active' },
  params: { includeOffline: false },
  since: '2026-11-20T00:00:00Z',
  // A part of a whole.
  sampleRate: 0.75,
  completeness: '0.72',
  loaded: '72%',
  geladen: '72,5 %',
  // At least so many.
  total: '7+',
  found: '>7',
};

test.each(Object.entries(TOLD))(
  '%s: %j may tell that records are missing, until it is ignored',
  async (name, value) => {
    for (const paged of [{}, { next: null }]) {
      const end = await endOf({ ...paged, [name]: value });
      expect(end).toMatchObject({ outcome: 'failed', errorCode: expect.stringMatching(/PAGING_UNPROVEN/) });
      const [{ setting, choices: [names] = [] } = {}] = end.question?.cures ?? [];
      expect(setting).toBe('resources.players.ignore');
      expect(await endOf({ ...paged, [name]: value }, ignoring(names as string[]))).toMatchObject({
        outcome: 'ok',
        errorCode: null,
      });
    }
  },
);

test('a question about many members stays short', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `flinuv_${String.fromCharCode(97 + index)}nu`);
  const end = await endOf(Object.fromEntries(names.map((name, index) => [name, 31 + index])));
  expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
  expect(end.message).toMatch(/stands (?:"flinuv_[a-f]nu" \(\d+\), ){6}14 more, which/);
  const [ignore, paging] = end.question?.cures ?? [];
  expect(ignore?.choices).toEqual([names]);
  expect(paging?.choices.length).toBeLessThanOrEqual(8);
});

test('what repeats the parameters of the query is silent, and nothing else that names them', async () => {
  const source = {
    resources: { players: { path: '/Players?site=63', ignore: [], columns: {}, drop: [], mask: [] } },
  };
  for (const [beside, errorCode] of [
    [{ says: 'where site = 63', filter_en: 'site="63"', site: '63' }, null],
    [{ columns: ['Id', 'Name'], keys: ['Id'] }, null],
    [{ says: 'where site = 63 is asleep' }, 'PAGING_UNPROVEN'],
    [{ says: 'site 63 asleep' }, 'PAGING_UNPROVEN'],
    [{ says: 'where site = 64' }, 'PAGING_UNPROVEN'],
  ] as const)
    expect(await endOf(beside, { source }), JSON.stringify(beside)).toMatchObject({ errorCode });
});

test('a token of this page leads on where nothing says what is next', async () => {
  const end = await endOf({ current_page: 'Pg%3D%3D' });
  expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
});

test('a member for what is not whole is a failure, whatever its value', async () => {
  for (const value of [true, ['node3'], 'node3', 'the first node'])
    expect(await endOf({ incomplete: value })).toMatchObject({
      outcome: 'failed',
      errorCode: 'API_ERROR',
      message: expect.stringContaining('.ignore to ["incomplete"]'),
    });
  for (const value of [false, [], 'none', ''])
    expect(await endOf({ incomplete: value })).toMatchObject({ outcome: 'ok', errorCode: null });
});

const HEALTHY: readonly object[] = [
  { message: 'Players retrieved successfully' },
  { message: 'OK', msg: 'No errors', status: 'success', code: 200 },
  { copyright: 'Example Corp. All rights reserved.', title: 'All players' },
  { generatedAt: 'Mon, 23 Nov 2026 08:00:00 GMT', time: '2026-11-23 08:00:00' },
  { took: '12 ms', columns: ['Id', 'Name'], sort: ['Name'] },
  { summary: 'Showing 1-7 of 7' },
  { elapsedSeconds: 0.12, queryTime: 0.03, took: 0.5, apiVersion: '0.9', loaded: '100 %' },
  { type: 'PlayerCollection', href: '/x', size: 7 },
  // Eve's, whose title is the pattern of the path: three numbers in it are no total.
  {
    _links: {
      self: { title: 'players/<regex("[a-f0-9]{24}"):player_id>/screens', href: 'players/7/screens' },
    },
  },
  { _links: { self: { title: 'All players, 1-7 of 24', href: 'players' } } },
  // fastapi-pagination's: the page itself, beside the one that says that there is no next one.
  { current_page: 'Pg%3D%3D', current_page_backwards: 'PA%3D%3D', previous_page: null, next_page: null },
  // Datasette's: words of the call's path, and names of the records' fields.
  { database: 'webservices', table: 'Players', primary_keys: ['Id'], truncated: false },
  // By no other name, for no object holds them.
  { source: 'replica2', path: 'players', link: 'players' },
];

test.each(HEALTHY)('%j says nothing about the records', async (beside) => {
  expect(await endOf(beside)).toMatchObject({ outcome: 'ok', errorCode: null });
});

test('a text that is new on a locked listing is published with a question, and asked about each day', async () => {
  const beside = { requestId: 'a1', message: 'Upstream B did not reply' };
  const end = await endOf(beside, { lock: LOCK });
  expect(end).toMatchObject({
    outcome: 'ok',
    errorCode: 'PAGING_UNPROVEN',
    dialect: { isCapSuspected: true },
  });
  const lock = end.dialect ?? LOCK;
  expect(await endOf(beside, { lock })).toMatchObject({ errorCode: 'PAGING_UNPROVEN' });
  expect(await endOf({ requestId: 'a2', version: '1.3' }, { lock: LOCK })).toMatchObject({ errorCode: null });
});

/** How a listing of so many players ends whose server answers `page`, and says nothing of it. */
async function silentEnd(count: number, page: (number: number, all: readonly object[]) => readonly object[]) {
  const all = Array.from({ length: count }, (_, index) => ({ Id: index, Name: `Player ${index}` }));
  await using server = await serve((request, response) => {
    const number = Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('page') ?? 1);
    json(response, JSON.stringify(page(number, all)));
  });
  return (await fetchFrom(server.url, 'players')).end;
}

test.each([9, 24, 37, 99, 128])(
  'a listing that is cut at %i and says nothing is asked about',
  async (size) => {
    const cut = (number: number, all: readonly object[]) => all.slice((number - 1) * size, number * size);
    expect(await silentEnd(230, cut)).toMatchObject({
      outcome: 'failed',
      errorCode: 'CAP_SUSPECTED',
      question: { cures: [{ setting: 'resources.players.complete' }, { choices: ['page:page'] }] },
    });
    expect(await silentEnd(size - 1, cut)).toMatchObject({ outcome: 'ok', errorCode: null });
    expect(await silentEnd(size === 24 ? 27 : size + 17, (_, all) => all)).toMatchObject({ outcome: 'ok' });
  },
);

test('each request is counted once, that for pages that are not there too', async () => {
  const all = Array.from({ length: 37 }, (_, index) => ({ Id: index, Name: `Player ${index}` }));
  // Three calls of many parameters; where they are refused, four of each singly.
  for (const [status, calls] of [
    [200, 4],
    [404, 16],
  ] as const) {
    let requests = 0;
    await using server = await serve((request, response) => {
      requests += 1;
      const isFirst = new URL(request.url ?? '', 'http://localhost').search === '';
      if (!isFirst && status === 404) response.writeHead(404).end('{}');
      else json(response, JSON.stringify(all));
    });
    const { rows, end } = await fetchFrom(server.url, 'players');
    expect(end).toMatchObject({ outcome: 'ok', pages: 1, items: 37 });
    expect(requests).toBe(calls);
    expect(rows.reduce((sum, { attempts, slice }) => sum + (slice === 0 ? attempts : 0), 0)).toBe(requests);
    expect(rows.at(-1)).toMatchObject({ outcome: 'ok', status: 200, items: 37 });
  }
});

test('a page in the middle that is empty ends no listing', async () => {
  const all = Array.from({ length: 47 }, (_, index) => ({ Id: index, Name: `Player ${index}` }));
  const cuts = [0, 20, 23, 23, 43, 47];
  await using server = await serve((request, response) => {
    const page = Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('page') ?? 1);
    const players = page > 5 ? [] : all.slice(cuts[page - 1], cuts[page]);
    json(response, JSON.stringify({ players, page, pageSize: 20 }));
  });
  const { end } = await fetchFrom(server.url, 'players');
  expect(end).toMatchObject({ outcome: 'failed', errorCode: 'LISTING_UNSTABLE' });
});

test('a link to the last page, or by a relation that nobody knows, leads on', async () => {
  const links: Readonly<Record<string, string | null>> = {
    '<?page=1>; rel="first", <?page=3>; rel="last"': 'page:page',
    '<?page=1>; rel="first", <?page=1>; rel="last"': null,
    '<?page=2>; rel="https://acme.example/rels/continue"': 'link:https://acme.example/rels/continue',
    '</docs>; rel="describedby", <https://api.w.org/>; rel="https://api.w.org/"': null,
  };
  for (const [link, style] of Object.entries(links)) {
    await using server = await serve((_, response) => {
      response.setHeader('link', link);
      json(response, JSON.stringify(SOME));
    });
    const { end } = await fetchFrom(server.url, 'players');
    expect(end.errorCode, link).toBe(style === null ? null : 'PAGING_UNPROVEN');
    if (style !== null) expect(end.question?.cures[1]).toMatchObject({ choices: [style] });
  }
});

test.each([
  ['filtered', false],
  ['filteredOut', 0],
  ['filters', []],
  ['filter', { city: null }],
  ['filter', 'none'],
  ['query', '*:*'],
  ['query', { sort: 'name', order_by: 'Id', limit: 50, page: 1 }],
  ['query', { sql: 'select Id, Name from players order by Id limit 21', params: {} }],
  ['queryTime', 12],
  ['searchId', 'b1a6-77'],
  ['generated', '2026-11-20T00:00:00Z'],
])('%s: %j leaves out no record', async (name, value) => {
  expect(await endOf({ [name]: value })).toMatchObject({ outcome: 'ok', errorCode: null });
});

test('a total that is no number is asked about in pages too, and so is a flag where a total ends them', async () => {
  const paged = async (also: object, settings = {}) => {
    await using server = await serve((request, response) => {
      const page = Number(new URL(request.url ?? '', 'http://server').searchParams.get('page') ?? 1);
      const count = [20, 15][page - 1] ?? 0;
      const players = Array.from({ length: count }, (_, at) => ({ Id: page * 20 + at }));
      json(response, JSON.stringify({ players, page, ...also }));
    });
    const { end } = await fetchFrom(server.url, 'players', settings);
    return end;
  };
  for (const also of [{ total: '35+' }, { total: '~35' }, { total: 35, exact: false }]) {
    const name = Object.keys(also).at(-1) ?? '';
    const end = await paged(also);
    expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN', items: 35 });
    expect(end.message).toContain(`"${name}"`);
    expect(await paged(also, ignoring([name]))).toMatchObject({ outcome: 'ok', items: 35, message: null });
  }
  // Here an empty page is the end.
  expect(await paged({ private: false })).toMatchObject({ outcome: 'ok', items: 35, message: null });
});

test.each<readonly [string, Record<string, string>, number]>([
  ['age', { age: '86400' }, 200],
  ['x-cache', { 'x-cache': 'STALE' }, 200],
  ['cf-cache-status', { 'cf-cache-status': 'STALE' }, 200],
  ['cache-status', { 'cache-status': 'Edge; hit; stale' }, 200],
  ['HTTP 203', {}, 203],
])(
  '%s says that the answer is no answer of the API itself, until it is ignored',
  async (name, headers, status) => {
    await using server = await serve((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify({ players: SOME }));
    });
    const { end } = await fetchFrom(server.url, 'players');
    expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
    expect(end.message).toContain(name);
    expect((await fetchFrom(server.url, 'players', ignoring([name]))).end).toMatchObject({ outcome: 'ok' });
  },
);

test.each([{ age: '59' }, { 'x-cache': 'HIT, MISS' }, { 'cache-status': 'edge; fwd=stale; ttl=30' }])(
  'a copy that is fresh is an answer: %j',
  async (headers) => {
    await using server = await serve((_, response) =>
      json(response, JSON.stringify({ players: SOME }), headers),
    );
    expect((await fetchFrom(server.url, 'players')).end).toMatchObject({ outcome: 'ok', message: null });
  },
);

test('what stands beside an object that is the one record is asked about too', async () => {
  const answers = [
    { zahl: 4, players: { Id: 1, Name: 'Player 1' } },
    { players: { Id: 1, Name: 'Player 1', zahl: 4 } },
  ];
  const codes = [];
  for (const body of answers) {
    await using server = await serve((_, response) => json(response, JSON.stringify(body)));
    const players = { items: 'players{1}', columns: {}, drop: [], mask: [] };
    codes.push(
      (await fetchFrom(server.url, 'players', { source: { resources: { players } } })).end.errorCode,
    );
  }
  expect(codes).toEqual(['PAGING_UNPROVEN', null]);
});

test.each([true, 'true', 'Y'])(
  'a flag that is new and %j may say that there are further pages',
  async (says) => {
    const end = await endOf({ weitere: says }, { lock: LOCK });
    expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
  },
);

test('a 0 beside records counts something else', async () => {
  expect(await endOf({ totalLimitReached: 0, total: 7 })).toMatchObject({ outcome: 'ok', message: null });
});

test.each<
  readonly [string, (path: string) => { readonly body?: object; readonly headers?: Record<string, string> }]
>([
  ['links.self', (path) => ({ body: { links: { self: `${path}?status=active` } } })],
  ['_links.self.href', (path) => ({ body: { _links: { self: { href: `${path}?scope=mine&page=1` } } } })],
  ['content-location', (path) => ({ headers: { 'content-location': `${path}?status=active` } })],
])('%s with a parameter that nobody asked with may tell of a filter', async (name, says) => {
  await using server = await serve(({ url = '' }, response) => {
    const { body, headers } = says(url);
    json(response, JSON.stringify({ players: SOME, ...body }), headers);
  });
  const { end } = await fetchFrom(server.url, 'players');
  expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
  expect(end.message).toContain(name);
  expect((await fetchFrom(server.url, 'players', ignoring([name]))).end).toMatchObject({ outcome: 'ok' });
});

test('so may a redirect to an address with one', async () => {
  await using server = await serve(({ url = '' }, response) => {
    if (url.includes('?')) json(response, JSON.stringify({ players: SOME }));
    else response.writeHead(302, { location: `${url}?scope=mine` }).end();
  });
  const { end } = await fetchFrom(server.url, 'players');
  expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
  expect(end.message).toContain('scope=mine');
});

test.each([
  '?page=1&per_page=20&sort=name&fields=Id,Name&api-version=1.12',
  '?startAt=0&maxResults=50&expand=all',
  '',
])('an own address with %j tells of no filter', async (query) => {
  await using server = await serve(({ url = '' }, response) =>
    json(response, JSON.stringify({ players: SOME, links: { self: `${url}${query}` }, next: null })),
  );
  expect((await fetchFrom(server.url, 'players')).end).toMatchObject({ outcome: 'ok', message: null });
});
