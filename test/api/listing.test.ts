import { describe, expect, test } from 'vitest';
import { saidWithCures } from '#lib/sources/question.ts';
import { resourceNamed } from '#lib/sources/resources.ts';
import { clientOf, fetchAll, fetchFrom, json, serve, sourceAt } from './support/serve.ts';

test('a bare array in one slice is one row that says ok', async () => {
  await using server = await serve((_request, response) => json(response, '[{"Id":1},{"Id":2}]'));
  const { rows, end, records } = await fetchFrom(server.url, 'players');
  expect(rows).toMatchObject([
    {
      ...{ parentId: null, page: 0, slice: 0, status: 200, attempts: 1, outcome: 'ok', items: 2 },
      ...{ recordsFrom: null, recordsTo: null, mended: null, errorCode: null, message: null },
      answeredAt: new Date('2026-11-21T03:00:00Z'),
    },
  ]);
  expect(rows[0]?.body?.toString()).toBe('[{"Id":1},{"Id":2}]');
  const contract = { envelope: '$', paging: 'none' };
  expect(end).toMatchObject({ outcome: 'ok', pages: 1, items: 2, contract });
  expect(records).toEqual([{ Id: 1 }, { Id: 2 }]);
});

test("a child's call has its parent's id as one segment", async () => {
  await using server = await serve((_request, response) => json(response, '[]'));
  const source = sourceAt(server.url);
  await using client = clientOf(source);
  const resource = resourceNamed('screens');
  for (const parentId of ['7', 'a/b c%?#ü', '..']) {
    const { rows } = await fetchAll({ client, source, resource, parentId });
    expect(rows).toMatchObject([{ parentId, outcome: 'empty', items: 0 }]);
  }
  expect(server.calls.map(({ url }) => url)).toEqual([
    '/gv2/webservices/API/v1.12/Players/7/Screens',
    '/gv2/webservices/API/v1.12/Players/a%2Fb%20c%25%3F%23%C3%BC/Screens',
    '/gv2/webservices/API/v1.12/Players/%2E%2E/Screens',
  ]);
});

test('a listing of several slices has its outcome on the last', async () => {
  const records = Array.from({ length: 5 }, (_, id) => ({ id, text: 'x'.repeat(31_000) }));
  await using server = await serve((_request, response) => json(response, JSON.stringify({ data: records })));
  const { rows, end, records: got } = await fetchFrom(server.url, 'players');
  const parts = rows.flatMap(({ slice, items, outcome }) => [slice, items, outcome]);
  expect(parts).toEqual([...[0, 2, null], ...[1, 2, null], ...[2, 1, 'ok']]);
  const whole = Buffer.concat(rows.map(({ body }) => body ?? Buffer.alloc(0))).toString();
  expect(whole).toBe(JSON.stringify({ data: records }));
  expect(got).toEqual(records);
  expect(end).toMatchObject({ items: 5, pages: 1 });
});

test('a listing that turns out to be no JSON in its third slice fails behind the first two', async () => {
  const record = JSON.stringify({ text: 'x'.repeat(44_000) });
  await using server = await serve((_request, response) => json(response, `[${record},${record},{"a":nan}]`));
  const { rows, end } = await fetchFrom(server.url, 'players');
  const parts = rows.flatMap(({ slice, outcome, items }) => [slice, outcome, items]);
  expect(parts).toEqual([...[0, null, 1], ...[1, 'failed', 0]]);
  expect(end).toMatchObject({ outcome: 'failed', errorCode: 'BODY_NOT_JSON' });
});

test.each([
  ['players', 200, '[]', 'empty', null],
  ['screens', 200, '[]', 'empty', null],
  ['screens', 204, '', 'empty', null],
  ['players', 204, '', 'failed', 'BODY_EMPTY'],
  ['screens', 200, '{"data":null}', 'empty', null],
  ['screens', 200, '{"result":"success","data":[]}', 'empty', null],
  ['screens', 200, '{}', 'empty', null],
  ['screens', 200, '', 'failed', 'BODY_EMPTY'],
  ['screens', 200, '<html>', 'failed', 'BODY_NOT_JSON'],
  ['screens', 404, '', 'gone', 'NOT_FOUND'],
  ['screens', 403, '', 'denied', 'FORBIDDEN'],
  ['players', 400, '{"Message":"use version 1.15"}', 'failed', 'HTTP_400'],
] as const)('how a listing ends: %s %i %s → %s', async (resource, status, body, outcome, code) => {
  await using server = await serve((_request, response) => response.writeHead(status).end(body));
  const { rows, end } = await fetchFrom(server.url, resource);
  expect(rows).toMatchObject([{ outcome, errorCode: code, status, items: 0 }]);
  expect(end).toMatchObject({ outcome, errorCode: code, items: 0 });
  if (code !== null) {
    expect(rows[0]?.body).toBeNull();
    expect(rows[0]?.message).toMatch(/^[A-Z].*: .*\.$/);
    expect(end.contract).toBeNull();
  }
});

describe('a listing that fails for what only the operator can say carries the question as values', () => {
  const items = 'resources.players.items';
  const oneOf = (...choices: readonly string[]) => [{ setting: items, choices }];
  test.each([
    [
      '{"clients":[{"Id":1}],"Id":1}',
      'ENVELOPE_UNKNOWN',
      [
        { setting: items, choices: ['clients'], when: 'the records are there', isLikely: true },
        { setting: items, choices: [], open: 'where they are' },
      ],
    ],
    ['{"data":[{"Id":1}],"items":[{"Id":2}]}', 'ENVELOPE_AMBIGUOUS', oneOf('data', 'items')],
    ['{"data":[],"items":{"a":{"Id":1},"b":{"Id":2}}}', 'ENVELOPE_AMBIGUOUS', oneOf('data', 'items{}')],
    [
      '{"data":[{"Id":1}],"hasMore":true}',
      'PAGING_UNPROVEN',
      [
        { setting: 'resources.players.paging', choices: [], open: expect.stringContaining('page:PARAM') },
        { setting: 'resources.players.paging', choices: ['none'], when: 'one answer has all records' },
        { setting: 'resources.players.ignore', choices: [['hasMore']], when: 'it is about something else' },
      ],
    ],
  ])('%s → %s', async (body, code, cures) => {
    await using server = await serve((_request, response) => json(response, body));
    const { end, rows } = await fetchFrom(server.url, 'players');
    const asked = { code, source: 'berlin', resource: 'players', says: expect.any(String), cures };
    expect(end.question).toEqual(asked);
    expect(end.message).toBe(saidWithCures(String(end.question?.says), end.question?.cures ?? []));
    expect(rows.at(-1)).not.toHaveProperty('question');
  });

  test('what no setting mends has none', async () => {
    await using server = await serve((_request, response) => response.writeHead(204).end());
    const { end } = await fetchFrom(server.url, 'players');
    expect(end).not.toHaveProperty('question');
    expect(end.message).toMatch(/^The answer to a listing has no body: if it does not pass/);
  });
});

test.each([
  { maxListingBytes: 2 * 1024 ** 2, outcome: 'ok', errorCode: null },
  // Each page has less, and all have more.
  { maxListingBytes: 1024 ** 2, outcome: 'failed', errorCode: 'BODY_TOO_LARGE' },
])('three pages of 500,000 bytes end $outcome where a listing may have $maxListingBytes', async (bounded) => {
  await using server = await serve((request, response) => {
    const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? 1);
    const body = JSON.stringify({ page, totalPages: 3, data: [{ Id: page, Name: 'n'.repeat(40) }] });
    json(response, body.padEnd(500_000));
  });
  const { maxListingBytes, outcome, errorCode } = bounded;
  const { end } = await fetchFrom(server.url, 'players', { source: { maxListingBytes } });
  expect(end).toMatchObject({ outcome, errorCode });
});

test('the source-wide stop is thrown, not recorded', async () => {
  await using server = await serve((_request, response) => response.writeHead(401).end());
  await expect(fetchFrom(server.url, 'players')).rejects.toMatchObject({ code: 'SOURCE_UNAUTHORIZED' });
});

test('who stops reading leaves nothing open', async () => {
  const records = Array.from({ length: 5 }, (_, id) => ({ id, text: 'x'.repeat(31_000) }));
  await using server = await serve((_request, response) => json(response, JSON.stringify(records)));
  const source = sourceAt(server.url, { concurrency: 1 });
  await using client = clientOf(source);
  const { fetchListing } = await import('#lib/api/listing.ts');
  const resource = resourceNamed('players');
  const slices: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    for await (const row of fetchListing({ client, source, resource, parentId: null })) {
      slices.push(row.slice);
      break;
    }
  }
  expect(slices).toEqual([0, 0, 0]);
  expect(server.calls).toHaveLength(3);
});
