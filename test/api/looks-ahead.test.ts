import { describe, expect, it } from 'vitest';
import { isCall } from '#lib/api/listing-rows.ts';
import { fetchFrom, serve } from './support/serve.ts';

const records = (from: number, count: number) =>
  JSON.stringify(
    Array.from({ length: count }, (_, index) => ({ Id: from + index, Name: `P${from + index}` })),
  );
const THIRTY = records(1, 30);

/** A listing in which nothing speaks of pages, and what it answers to each call with a parameter. */
async function read(
  look: (
    query: URLSearchParams,
    looks: number,
  ) => { status?: number; body: string } | Promise<{ status?: number; body: string }>,
) {
  let looks = 0;
  await using server = await serve(async (request, response) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams;
    const { status = 200, body } = query.size === 0 ? { body: THIRTY } : await look(query, ++looks);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body);
  });
  const { rows, end } = await fetchFrom(server.url, 'players', { source: { concurrency: 8 } });
  return { end, looks, calls: rows.filter(isCall).reduce((sum, { attempts }) => sum + attempts, 0) };
}

it('a server that passes all usual parameters over is asked three times, each call counted', async () => {
  const { end, looks, calls } = await read(() => ({ body: THIRTY }));
  expect([end.outcome, end.items, end.errorCode]).toEqual(['ok', 30, null]);
  expect([looks, calls]).toEqual([3, 3]);
});

it('looks for further pages go side by side, and so do those behind one that is refused', async () => {
  let [waiting, most] = [0, 0];
  // One after the other they would wait for ever.
  const gate = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, 1000).unref();
    return [promise, resolve] as const;
  };
  const [allThree, answerFirst] = gate();
  const [released, release] = gate();
  const { end, looks, calls } = await read(async (_, number) => {
    most = Math.max(most, ++waiting);
    if (number === 1) await allThree;
    if (waiting === 3) answerFirst();
    if (waiting === 6) release();
    if (number > 1) await released;
    waiting -= 1;
    return number === 1 ? { status: 400, body: '{}' } : { body: THIRTY };
  });
  // Four parameters singly, and the two other calls of many.
  expect(most).toBe(6);
  expect([end.outcome, end.items, end.errorCode]).toEqual(['ok', 30, null]);
  expect([looks, calls]).toEqual([7, 7]);
});

/** What a server reads of a call: the records behind the first 30, or null where it gives the first 30. */
type Reads = (query: URLSearchParams) => { status?: number; body: string } | null;
const onlyOne = (query: URLSearchParams) => (query.size === 1 ? null : { status: 400, body: '{}' });
const known =
  (...names: readonly string[]): Reads =>
  (query) =>
    [...query.keys()].every((name) => names.includes(name)) ? null : { status: 422, body: '{}' };
const STRICT: Record<string, Reads> = {
  'reads what it knows and passes the rest over': () => null,
  'takes one parameter at a time': onlyOne,
  'takes what it knows alone': known('page', 'offset', 'skip', '_page'),
  'filters by a parameter of another meaning': (query) =>
    query.has('from') || query.has('p') ? { body: '[]' } : null,
  'filters a part by a parameter of another meaning': (query) =>
    query.has('from') || query.has('p') ? { body: records(5, 10) } : null,
};
describe.for(Object.entries(STRICT))('a server that %s', ([, reads]) => {
  it.for(['page', '_page', 'offset', 'skip'])('and pages by %s is found out', async (param) => {
    const { end } = await read((query) => {
      const other = reads(query);
      if (other !== null) return other;
      const value = query.get(param);
      const further = param.endsWith('page') ? value === '2' : value === '30';
      return { body: further ? records(31, 30) : THIRTY };
    });
    expect([end.errorCode, end.items]).toEqual(['CAP_SUSPECTED', 30]);
    expect(end.message).toContain(param.endsWith('page') ? `page:${param}` : `offset:${param}`);
  });
});

it.for(['pageIndex', 'page_no', 'startIndex', 'firstResult', 'p', '$skip'])(
  'a server that passes the rest over and pages by %s is found out',
  async (param) => {
    const { end } = await read((query) => ({
      body: ['2', '30'].includes(query.get(param) ?? '') ? records(31, 30) : THIRTY,
    }));
    expect([end.errorCode, end.items]).toEqual(['CAP_SUSPECTED', 30]);
    expect(end.message).toContain(`:${param}`);
  },
);

it('a server that knows no case reads no parameter twice', async () => {
  const { end } = await read((query) => {
    const names = [...query.keys()].map((name) => name.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
    return { body: THIRTY };
  });
  expect(end.outcome).toBe('ok');
});

it('a look that leads to other records says which way, though those behind it were asked for', async () => {
  const { end, looks, calls } = await read((query) => ({
    body: query.get('offset') === '30' ? records(31, 30) : THIRTY,
  }));
  expect([end.errorCode, end.items]).toEqual(['CAP_SUSPECTED', 30]);
  expect(end.message).toContain('offset:offset');
  expect(calls).toBe(looks);
});

it('a server that fails at the first looks is asked for none of their parameters singly', async () => {
  const paths = new Set<string>();
  const { end } = await read((query) => {
    paths.add(String(query));
    return { status: 404, body: '{}' };
  });
  expect(end.outcome).toBe('ok');
  expect(paths.size).toBe(15);
  const failing = new Set<string>();
  await read((query) => {
    failing.add(String(query));
    return { status: 501, body: '{}' };
  });
  expect(failing.size).toBe(3);
});
