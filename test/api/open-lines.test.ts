import { describe, expect, test } from 'vitest';
import { fetchFrom, serve } from './support/serve.ts';

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `${JSON.stringify({ Id: index + 1, Name: `P${index}` })}\n`);

/** Reads a listing whose answers end with their connections; the last text is that of all further answers. */
async function read(
  texts: readonly string[],
  { headers = '', settings = {}, listing = 'players' as 'players' | 'screens' } = {},
) {
  const left = [...texts];
  await using server = await serve((_, response) => {
    const text = left.length > 1 ? left.shift() : left[0];
    response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\n${headers}\r\n${text}`);
  });
  const own = { columns: {}, drop: [], mask: [], items: '$lines', paging: 'none', ...settings };
  const { end, records } = await fetchFrom(server.url, listing, {
    source: { resources: { [listing]: own } },
  });
  const { outcome, errorCode, question } = end;
  return { outcome, errorCode, question, records: records.length, calls: server.calls.length };
}

const all = lines(53).join('');
const whole = { outcome: 'ok', errorCode: null, question: undefined };

describe('lines that end where their connection ends', () => {
  test('are in doubt, unless the setting says that they are all', async () => {
    expect(await read([all])).toMatchObject({
      outcome: 'ok',
      errorCode: 'END_UNPROVEN',
      question: { cures: [{ setting: 'resources.players.complete', choices: [true] }] },
      records: 53,
      calls: 1,
    });
    expect(await read([all], { settings: { complete: true } })).toMatchObject({ ...whole, records: 53 });
  });

  test('are never none', async () => {
    expect(await read([''])).toMatchObject({ outcome: 'failed', errorCode: 'BODY_EMPTY', records: 0 });
    expect(await read([''], { listing: 'screens' })).toMatchObject({ outcome: 'failed', records: 0 });
  });
});

describe('an end that the answer itself tells', () => {
  test('is that of a length', async () => {
    expect(await read([all], { headers: `content-length: ${all.length}\r\n` })).toMatchObject({ calls: 1 });
  });

  test('is that of a list', async () => {
    const list = `[${lines(53).join(',')}]`;
    expect(await read([list], { settings: { items: '$' } })).toMatchObject({ records: 53, calls: 1 });
  });
});
