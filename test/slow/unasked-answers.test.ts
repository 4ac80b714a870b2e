import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';

const PLAYERS = Array.from({ length: 60 }, (_, index) => ({ Id: index + 1, Name: `P${index + 1}` }));

function screensOf(player: number): string {
  return JSON.stringify([{ Number: 1, DisplayName: `of ${player}` }]);
}

/** Screens of each player; behind those of player 20 `more` comes, as soon as the connection has its next call. */
function routes(more?: string): Routes {
  const owing = new WeakSet<Socket>();
  let isOwed = more !== undefined;
  const listing = (body: string, player?: number) => (request: IncomingMessage) => {
    if (owing.delete(request.socket)) request.socket.write(more ?? '');
    if (player === 20 && isOwed) {
      isOwed = false;
      owing.add(request.socket);
    }
    return { body };
  };
  const children = PLAYERS.flatMap(({ Id }) => [
    [`${SIGNAGE}/Players/${Id}/Screens`, listing(screensOf(Id), Id)],
    [`${SIGNAGE}/Players/${Id}/PendingFileTransfers`, listing('[]')],
  ]);
  return { [`${SIGNAGE}/Players`]: listing(JSON.stringify(PLAYERS)), ...Object.fromEntries(children) };
}

const DUPLICATE = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${screensOf(20).length}\r\n\r\n${screensOf(20)}`;
const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n';

it.each([
  ['an answer that comes twice', DUPLICATE],
  ['a 404 that nobody asked for', NOT_FOUND],
])('%s gives no player the screens of another, and removes none', async (_, more) => {
  await using lab = await signageLab(routes());
  expect((await lab.run('2026-11-20T03:00:00Z')).sources[0]?.status).toBe('complete');
  const { sources, tables } = await lab.run('2026-11-21T03:00:00Z', routes(more));
  expect(sources[0]?.status).toBe('complete');
  expect(sources[0]?.notes.map(({ code }) => code)).toContain('ANSWER_UNASKED');
  expect(tables['screens']).toMatchObject({ rows: 60, added: 0, removed: 0, changed: 0 });
  const wrong = "select player_id from screens where display_name <> 'of ' || player_id";
  expect(await lab.flat(wrong)).toEqual([]);
});

it('a run without one has no note of it', async () => {
  await using lab = await signageLab(routes());
  const { sources, requests } = await lab.run('2026-11-20T03:00:00Z');
  expect(sources[0]?.notes).toEqual([]);
  const paths = lab.server.requests.map(({ path }) => path);
  expect(paths.filter((path) => path.includes('/Players/')).length).toBe(2 * PLAYERS.length);
  expect(requests).toBe(paths.length);
});
