import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { backoffMs, retryAfterMs } from '#lib/api/call/backoff.ts';
import { FAULT_POLICY, ruleOfStatus, STATUS_POLICY } from '#lib/api/call/judge.ts';
import { API_CODES, mayPass } from '#lib/api/codes.ts';
import { askOnce, BOUNDS, clientOf, json, serve, sourceAt, TARGET } from './support/serve.ts';

describe('what a status means', () => {
  test.each<[status: number, outcome: string, code: string, calls: number]>([
    [201, 'failed', 'HTTP_2XX', 1],
    [202, 'failed', 'HTTP_202', 5],
    [207, 'failed', 'HTTP_2XX', 1],
    [304, 'failed', 'HTTP_3XX', 1],
    [400, 'failed', 'HTTP_400', 1],
    [403, 'denied', 'FORBIDDEN', 1],
    [404, 'gone', 'NOT_FOUND', 1],
    [405, 'failed', 'HTTP_405', 1],
    [408, 'failed', 'HTTP_408', 5],
    [409, 'failed', 'HTTP_4XX', 1],
    [410, 'gone', 'NOT_FOUND', 1],
    [413, 'failed', 'HTTP_4XX', 1],
    [422, 'failed', 'HTTP_422', 1],
    [425, 'failed', 'HTTP_425', 5],
    [429, 'failed', 'RATE_LIMITED', 5],
    [500, 'failed', 'HTTP_500', 5],
    [501, 'failed', 'HTTP_5XX', 5],
    [502, 'failed', 'HTTP_502', 5],
    [503, 'failed', 'HTTP_503', 5],
    [504, 'failed', 'HTTP_504', 5],
    [599, 'failed', 'HTTP_5XX', 5],
  ])('%i → %s %s after %i', async (status, outcome, code, calls) => {
    await using server = await serve((_request, response) => response.writeHead(status).end('{}'));
    await using client = clientOf(sourceAt(server.url));
    const reply = await client.get(TARGET, BOUNDS);
    expect(reply).toMatchObject({ kind: 'refusal', outcome, code, status, attempts: calls });
    expect(server.calls).toHaveLength(calls);
    expect(client.stats()).toMatchObject({ requests: calls, retries: calls - 1 });
  });

  test.each([200, 203])('%i → answer', async (status) => {
    const { reply } = await askOnce((_request, response) => response.writeHead(status).end('[{}]'));
    expect(reply).toMatchObject({ kind: 'answer', status, body: { json: [{}] } });
  });

  test('every status from 200 to 599 has one rule', () => {
    for (let status = 200; status < 600; status += 1) {
      const rule = ruleOfStatus(status);
      expect(STATUS_POLICY.some(([from, to]) => status >= from && status <= to)).toBe(true);
      expect(rule.code === null).toBe(rule.verdict === 'ok');
    }
    expect(ruleOfStatus(999)).toMatchObject({ verdict: 'stop' });
  });
});

describe('a 200 whose body is not what a 200 promises', () => {
  test.each([
    ['nothing', 'BODY_EMPTY', ''],
    ['cut JSON', 'BODY_TRUNCATED', '[{"Id":1},{"Id'],
    ['an error beside data', 'API_ERROR', '{"data":[{"Id":1}],"error":{"code":7}}'],
  ])('%s is tried again, then %s', async (_, code, body) => {
    const { reply } = await askOnce((_request, response) => json(response, body));
    expect(reply).toMatchObject({ kind: 'refusal', outcome: 'failed', code, status: 200, attempts: 5 });
  });

  test.each([203, 206])('nothing, by a %i, is tried again, then BODY_EMPTY', async (status) => {
    const { reply } = await askOnce((_request, response) => response.writeHead(status).end());
    expect(reply).toMatchObject({ outcome: 'failed', code: 'BODY_EMPTY', status });
  });
});

test('what passes is an answer in the end, its calls counted', async () => {
  let calls = 0;
  await using server = await serve((_request, response) => {
    calls += 1;
    if (calls < 4) response.writeHead(500).end();
    else json(response, '[]');
  });
  await using client = clientOf(sourceAt(server.url));
  expect(await client.get(TARGET, BOUNDS)).toMatchObject({ kind: 'answer', attempts: 4 });
  // Full jitter with random = 0.5 is half of 0.5, 1 and 2 s.
  expect(client.waits).toEqual([250, 500, 1000]);
});

test('waiting is random up to 0.5 s, doubled each time, 30 s at most', () => {
  const waits = [1, 2, 3, 4].map((failed) => backoffMs(failed, () => 0.999999));
  expect(waits).toEqual([500, 1000, 2000, 4000].map((ms) => expect.closeTo(ms, 2)));
  expect(backoffMs(60, () => 0.999999)).toBeCloseTo(30_000, -2);
  expect(backoffMs(3, () => 0)).toBe(0);
});

const refusing = (status: number, header: string) => (_: unknown, response: ServerResponse) =>
  response.writeHead(status, { 'retry-after': header }).end();

describe('Retry-After', () => {
  const NOW = Date.parse('2026-11-21T03:00:00Z');
  test.each([
    [undefined, null],
    ['', null],
    ['0', 0],
    ['120', 120_000],
    [' 1.5 ', 1500],
    ['Sat, 21 Nov 2026 03:02:00 GMT', 120_000],
    ['Sat, 21 Nov 2026 02:00:00 GMT', null],
    ['-5', null],
    ['soon', null],
    ['2026-11-21', null],
    ['99999999999', 31_536_000_000],
  ])('%s is %s ms', (header, ms) => expect(retryAfterMs(header, NOW)).toBe(ms));

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

  test.each([
    [429, '7200'],
    [503, 'Sat, 21 Nov 2026 04:00:01 GMT'],
    [500, '99999999999999'],
  ])('%i with %s does not fit: failed at once, as are later calls', async (status, header) => {
    await using server = await serve(refusing(status, header));
    await using client = clientOf(sourceAt(server.url));
    const refusal = { code: 'RATE_LIMITED', status, attempts: 1 };
    for (let call = 1; call <= 3; call++) expect(await client.get(TARGET, BOUNDS)).toMatchObject(refusal);
    if (status === 500) return;
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({ ...refusal, status: null, attempts: 0 });
    expect(server.calls).toHaveLength(3);
  });
});

test('behind a pause of half an hour no call waits, though there is an hour left', async () => {
  await using server = await serve(refusing(429, '1800'));
  await using client = clientOf(sourceAt(server.url));
  for (let call = 1; call <= 3; call++) await client.get(TARGET, BOUNDS);
  expect(client.mustWait()).toBe(true);
  expect(await client.get(TARGET, BOUNDS)).toMatchObject({ code: 'RATE_LIMITED', attempts: 0 });
  expect(server.calls).toHaveLength(3);
  expect(Math.max(0, ...client.waits)).toBeLessThanOrEqual(15 * 60_000);
});

test('every code is given by something', () => {
  const folder = join(import.meta.dirname, '../../lib');
  const isOther = (name: string) => name.endsWith('.ts') && name !== join('api', 'codes.ts');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isOther);
  const source = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
  expect(Object.keys(API_CODES).filter((code) => !source.includes(`'${code}'`))).toEqual([]);
});

test('codes, their marks and the policy agree', () => {
  for (const [code, verdict] of Object.entries(FAULT_POLICY))
    if (verdict === 'retry') expect(mayPass(code)).toBe(true);
  for (const [, , verdict, code] of STATUS_POLICY) {
    if (code !== null && verdict === 'retry') expect(mayPass(code)).toBe(true);
    if (code !== null && verdict === 'stop') expect(mayPass(code)).toBe(false);
  }
  expect(mayPass('NO_SUCH_CODE')).toBe(false);
  // What a setting answers is asked about once: another try has the same answer. A total may be that of another moment.
  const asked = Object.entries(API_CODES).filter(([, { cure }]) => typeof cure !== 'string');
  expect(asked.flatMap(([code]) => (mayPass(code) ? [code] : []))).toEqual(['TOTAL_MISMATCH']);
  for (const { cure } of Object.values(API_CODES))
    if (typeof cure === 'string') expect(cure).not.toMatch(/\.$/);
});
