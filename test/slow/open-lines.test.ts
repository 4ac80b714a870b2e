import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { type FixtureLab, type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\n\r\n';
const SETTINGS = { signage: { resources: { players: { items: '$lines' }, screens: { items: '$lines' } } } };

/** A line each, without a length: the answer ends with its connection. */
function raw(text: string) {
  return (request: IncomingMessage): Promise<never> => {
    request.socket.end(HEAD + text);
    return new Promise(() => {});
  };
}

function players(count: number): string {
  return Array.from({ length: count }, (_, index) => `{"Id": ${index + 1}, "Name": "P${index + 1}"}\n`).join(
    '',
  );
}

/** 53 players; `counts` are the lines of the answers to the listing, again and again. */
function routes(...counts: readonly number[]): Routes {
  let asked = 0;
  const screens = Array.from({ length: 53 }, (_, index) => [
    `${SIGNAGE}/Players/${index + 1}/Screens`,
    raw('{"Number": 1}\n{"Number": 2}\n'),
  ]);
  const listing = (request: IncomingMessage) => {
    const count = counts[asked % counts.length] ?? 0;
    asked += 1;
    return raw(players(count))(request);
  };
  return { [`${SIGNAGE}/Players`]: listing, ...Object.fromEntries(screens) };
}

async function day(lab: FixtureLab, date: number, ...counts: readonly number[]) {
  const { sources, tables } = await lab.run(`2026-11-${date}T03:00:00Z`, routes(...counts));
  const { players: listed, screens } = tables;
  const { status, questions } = sources[0] ?? {};
  return {
    status,
    asks: questions?.map(({ code }) => code),
    players: [listed?.rows, listed?.removed],
    screens: [screens?.rows, screens?.removed],
  };
}

it('players without a length are not removed, unless the setting says that they are all', async () => {
  await using lab = await signageLab(routes(53), SETTINGS);
  const doubt = {
    status: 'partial',
    asks: ['END_UNPROVEN', 'END_UNPROVEN'],
    players: [53, 0],
    screens: [106, 0],
  };
  expect(await day(lab, 20, 53)).toEqual(doubt);
  expect(await day(lab, 21, 41)).toEqual(doubt);
});
