import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import type { ApiServices } from '#lib/runtime/services.ts';
import { json, serve } from '../api/support/serve.ts';
import { exportLab, labConfig } from '../support/export-lab.ts';

/** In place of the minute of a player's listing and the ten of a listing of players. */
const TIME_MS = 1500;

const OK = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** Writes a piece each time that the clock says, until the other side has had enough. */
function dripping(response: ServerResponse, piece: string, everyMs: number): void {
  const timer = setInterval(() => response.socket?.write(piece), everyMs);
  response.socket?.on('close', () => clearInterval(timer));
}

/** Writes pieces as fast as they are taken. */
function flooding(response: ServerResponse, piece: string): void {
  const { socket } = response;
  const more = (): void => {
    while (socket !== null && !socket.destroyed)
      if (!socket.write(piece)) return void socket.once('drain', more);
  };
  more();
}

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const RECORDS = ',{"Id":7}'.repeat(5000);

const UNENDING: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'no answer': () => {},
  'headers, and nothing behind them': (response) =>
    void response.socket?.write(`${OK}content-length: 9\r\n\r\n`),
  'a byte at a time': (response) => {
    response.socket?.write(`${OK}content-length: 100000\r\n\r\n[`);
    dripping(response, ' ', 50);
  },
  'records without an end': (response) => {
    response.socket?.write(`${OK}\r\n[{"Id":1}`);
    flooding(response, RECORDS);
  },
  'chunks without an end': (response) => {
    response.socket?.write(`${OK}transfer-encoding: chunked\r\n\r\n${chunk('[{"Id":1}')}`);
    flooding(response, chunk(RECORDS));
  },
  'chunks of a byte': (response) => {
    response.socket?.write(`${OK}transfer-encoding: chunked\r\n\r\n${chunk('[')}`);
    dripping(response, chunk(' '), 50);
  },
  'a size of a chunk without an end': (response) => {
    response.socket?.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
    dripping(response, '0', 50);
  },
  'headers without an end': (response) => {
    response.socket?.write(OK);
    dripping(response, 'x-more: yes\r\n', 50);
  },
  'a flood of headers': (response) => {
    response.socket?.write(OK);
    flooding(response, `x-more: ${'y'.repeat(200)}\r\n`);
  },
  'a name of a header without an end': (response) => {
    response.socket?.write(`${OK}x-`);
    flooding(response, 'y'.repeat(1000));
  },
  'answers that say that one is to come': (response) =>
    dripping(response, 'HTTP/1.1 103 Early Hints\r\n\r\n', 20),
  'a string without an end': (response) => {
    response.socket?.write(`${OK}\r\n[{"Id":1,"Name":"`);
    flooding(response, 'z'.repeat(100_000));
  },
  'blanks without an end': (response) => {
    response.socket?.write(`${OK}\r\n`);
    flooding(response, ' '.repeat(100_000));
  },
};

/** The services whose calls have less time. */
function hurried(services: ApiServices): ApiServices {
  return {
    ...services,
    client: (source, place) => {
      const client = services.client(source, place);
      return {
        ...client,
        get: (target, options) =>
          client.get(target, { ...options, timeoutMs: Math.min(options.timeoutMs, TIME_MS) }),
      };
    },
  };
}

it('a source of answers without an end, of every kind at once, ends in time, and the other source is whole', {
  timeout: 240_000,
}, async () => {
  const kinds = Object.entries(UNENDING);
  const asked = new Map<string, number>();
  await using server = await serve((request, response) => {
    const path = request.url?.split('/v1.12/')[1] ?? '';
    asked.set(path, (asked.get(path) ?? 0) + 1);
    const [, id] = /^Players\/(\d+)\//.exec(path) ?? [];
    if (path === 'Players')
      return json(response, JSON.stringify(kinds.map((_, Id) => ({ Id, Name: `p${Id}` }))));
    const [, answer] = kinds[Number(id ?? kinds.length)] ?? [];
    if (path.startsWith('Licenses')) return UNENDING['a byte at a time']?.(response);
    if (answer === undefined) return json(response, '[]');
    answer(response);
  });
  await using lab = await exportLab({ players: 30 });
  const hostile = { name: 'hostile', kind: 'signage', baseUrl: server.url, secret: 'lab/berlin' };
  const { sources } = labConfig(lab.simulator.url);
  const config = {
    ...lab.config,
    sources: [...sources, ...labConfig(server.url, { config: { sources: [hostile] } }).sources],
  };
  const begun = performance.now();
  const summary = await lab.run('2026-11-20T03:00:00Z', { config, services: hurried, random: () => 0 });
  const seconds = (performance.now() - begun) / 1000;
  expect(summary.sources.map(({ name, status }) => ({ name, status }))).toEqual([
    { name: 'berlin', status: 'complete' },
    { name: 'vault', status: 'complete' },
    { name: 'hostile', status: 'failed' },
  ]);
  const of = summary.sources[2];
  expect(of?.outcomes.failed).toBe(kinds.length * 2 + 1);
  // An item costs a call a pass, at most those that break off cost five.
  const calls = Object.fromEntries(
    [...asked]
      .filter(([path]) => /\/Screens/.test(path))
      .map(([path, count]) => [kinds[Number(path.split('/')[1])]?.[0] ?? path, count]),
  );
  expect(
    Object.values(calls).every((count) => count <= 15),
    JSON.stringify(calls),
  ).toBe(true);
  for (const kind of [
    'no answer',
    'a byte at a time',
    'chunks of a byte',
    'headers, and nothing behind them',
  ])
    expect(calls[kind], kind).toBeLessThanOrEqual(3);
  // Two listings a player, three passes, eight at once; the listing of licenses three times.
  const most = (kinds.length * 2 * 15 * (TIME_MS / 1000)) / 8 + 3 * (TIME_MS / 1000);
  expect(seconds).toBeLessThan(most + 20);
});
