import { describe, expect, test } from 'vitest';
import { BOUNDS, clientOf, fetchFrom, json, serve, sourceAt, TARGET } from './support/serve.ts';

const long = `{"a":[${'{"Id":1},'.repeat(20_000)}{}] 1}`;

describe('a call whose answer is no JSON', () => {
  test('is made once more, and ends if the answer is the same', async () => {
    for (const body of ['[1,]', '<html>', long]) {
      await using server = await serve((_request, response) => json(response, body));
      await using client = clientOf(sourceAt(server.url));
      expect(await client.get(TARGET, BOUNDS)).toMatchObject({ code: 'BODY_NOT_JSON', attempts: 2 });
      expect(server.calls).toHaveLength(2);
    }
  });

  test('is made like any other that fails, as long as the answer changes', async () => {
    await using server = await serve((_request, response) => json(response, `[${server.calls.length},]`));
    await using client = clientOf(sourceAt(server.url));
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({ code: 'BODY_NOT_JSON', attempts: 5 });
  });

  test.each(['players', 'screens'] as const)('is not made again for %s', async (name) => {
    await using server = await serve((_request, response) => json(response, '[{"Id":1},]'));
    const { end } = await fetchFrom(server.url, name);
    expect(end).toMatchObject({ outcome: 'failed', errorCode: 'BODY_NOT_JSON' });
    expect(server.calls).toHaveLength(2);
  });
});
