import { expect, it } from 'vitest';
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
  ) => { status?: number; body: string } | Promise<{ body: string }>,
) {
  let looks = 0;
  await using server = await serve(async (request, response) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams;
    const { status = 200, body } =
      query.size === 0
        ? { body: THIRTY }
        : await (look(query, ++looks) as Promise<{ status?: number; body: string }>);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body);
  });
  const { rows, end } = await fetchFrom(server.url, 'players', { source: { concurrency: 8 } });
  return { end, looks, calls: rows.filter(isCall).reduce((sum, { attempts }) => sum + attempts, 0) };
}

it('behind the first look for further pages the others go side by side, and each is counted', async () => {
  let [waiting, most] = [0, 0];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
    // One after the other they would wait for ever.
    setTimeout(resolve, 1000).unref();
  });
  const { end, looks, calls } = await read(async (_, number) => {
    if (number === 1) return { body: THIRTY };
    most = Math.max(most, ++waiting);
    if (waiting === 8) release();
    await released;
    waiting -= 1;
    return { body: THIRTY };
  });
  expect(most).toBe(8);
  expect([end.outcome, end.items, end.errorCode]).toEqual(['ok', 30, null]);
  expect([looks, calls]).toEqual([12, 12]);
});

it('a look that leads to other records says which way, though those behind it were asked for', async () => {
  const { end, looks, calls } = await read((query) => ({
    body: query.get('offset') === '30' ? records(31, 30) : THIRTY,
  }));
  expect([end.errorCode, end.items]).toEqual(['CAP_SUSPECTED', 30]);
  expect(end.message).toContain('offset:offset');
  expect(calls).toBe(looks);
});

it('a server that fails at the first look is asked for none of the others', async () => {
  const paths = new Set<string>();
  const { end } = await read((query) => {
    paths.add(String(query));
    return { status: 404, body: '{}' };
  });
  expect(end.outcome).toBe('ok');
  expect(paths.size).toBe(12);
  const failing = new Set<string>();
  await read((query) => {
    failing.add(String(query));
    return { status: 501, body: '{}' };
  });
  expect(failing).toEqual(new Set(['page=2']));
});
