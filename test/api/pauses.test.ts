import { describe, expect, test } from 'vitest';
import { askOnce, BOUNDS, clientOf, json, serve, sourceAt, TARGET } from './support/serve.ts';

describe('Retry-After', () => {
  test('is waited for in full', async () => {
    let calls = 0;
    const { reply, waits, stats } = await askOnce((_request, response) => {
      calls += 1;
      if (calls === 1) response.writeHead(429, { 'retry-after': '120' }).end();
      else json(response, '[]');
    });
    expect(reply).toMatchObject({ kind: 'answer', attempts: 2 });
    expect(waits[0]).toBe(120_000);
    expect(stats).toEqual({ requests: 2, retries: 1, throttled: 1 });
  });

  for (const [status, header] of [
    [429, '7200'],
    [503, 'Sat, 21 Nov 2026 04:00:01 GMT'],
    [500, '99999999999999'],
  ] as const) {
    test(`${status} with ${header} does not fit: failed at once, and from three in a row on so are the next calls`, async () => {
      await using server = await serve((_request, response) =>
        response.writeHead(status, { 'retry-after': header }).end(),
      );
      await using client = clientOf(sourceAt(server.url));
      for (let call = 1; call <= 3; call++)
        expect(await client.get(TARGET, BOUNDS)).toMatchObject({ code: 'RATE_LIMITED', status, attempts: 1 });
      if (status === 500) return;
      expect(await client.get(TARGET, BOUNDS)).toMatchObject({
        code: 'RATE_LIMITED',
        status: null,
        attempts: 0,
      });
      expect(server.calls).toHaveLength(3);
    });
  }
});

test('behind a pause of half an hour no call waits, though there is an hour left', async () => {
  await using server = await serve((_request, response) =>
    response.writeHead(429, { 'retry-after': '1800' }).end(),
  );
  await using client = clientOf(sourceAt(server.url));
  for (let call = 1; call <= 3; call++) await client.get(TARGET, BOUNDS);
  expect(client.mustWait()).toBe(true);
  expect(await client.get(TARGET, BOUNDS)).toMatchObject({ code: 'RATE_LIMITED', attempts: 0 });
  expect(server.calls).toHaveLength(3);
  expect(Math.max(0, ...client.waits)).toBeLessThanOrEqual(15 * 60_000);
});
