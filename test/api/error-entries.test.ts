import { describe, expect, test } from 'vitest';
import { fetchFrom, json, serve } from './support/serve.ts';

/* Entries of a list that tell an error and stand where a record was to stand. */

type Row = Readonly<Record<string, unknown>>;

const player = (id: number, more: Row = {}): Row => ({
  Id: id,
  Name: `Player ${id}`,
  City: 'Köln',
  BoxState: 'Activated',
  LastAccess: '2026-11-20T03:00:00Z',
  ...more,
});
/** 57 players, each ninth another one. */
const listOf = (odd: (id: number) => Row): readonly Row[] =>
  Array.from({ length: 57 }, (_, index) => (index % 9 === 0 ? odd(index + 1) : player(index + 1)));

async function read(rows: unknown, settings: object = {}, listing: 'players' | 'screens' = 'players') {
  await using server = await serve((_, response) => json(response, JSON.stringify(rows)));
  const own = { columns: {}, drop: [], mask: [], ...settings };
  return (await fetchFrom(server.url, listing, { source: { resources: { [listing]: own } } })).end;
}

const ERRORS: Readonly<Record<string, (id: number) => Row>> = {
  'an error beside the id': (id) => ({ error: 'timeout while reading player', Id: id }),
  'an error as an object': (id) => ({ Id: id, Error: { code: 504, message: 'gateway timeout' } }),
  'no id': () => ({ exception: 'java.net.SocketTimeoutException' }),
  'as many fields as a record': (id) => ({
    Id: id,
    error: 'x9',
    path: '/p',
    at: 'now',
    trace: 'b7',
    kind: 'io',
  }),
  'a word of success': (id) => ({ Id: id, success: false }),
  'a state': (id) => ({ Id: id, status: 'error' }),
  'a status of HTTP': (id) => ({ Id: id, statusCode: 504 }),
};

describe.each(Object.entries(ERRORS))('entries with %s', (_, error) => {
  test('are no rows: the listing has failed', async () => {
    expect(await read(listOf(error))).toMatchObject({ outcome: 'failed', errorCode: 'API_ERROR' });
    expect(await read(listOf(error), { paging: 'none' })).toMatchObject({ errorCode: 'API_ERROR' });
    expect((await read(listOf(error))).message).toContain('7 entries of the list tell an error');
    expect(await read(listOf(error), {}, 'screens')).toMatchObject({ errorCode: 'API_ERROR' });
    const last = [...listOf(player), error(58)];
    expect((await read(last)).message).toContain('1 entry of the list tells an error');
  });

  test('are records where the config says so', async () => {
    const { question } = await read(listOf(error));
    const [cure] = question?.cures ?? [];
    expect(cure?.setting).toBe('resources.players.ignore');
    expect(await read(listOf(error), { ignore: cure?.choices[0] })).toMatchObject({
      outcome: 'ok',
      message: null,
    });
  });
});

test.each<readonly [string, (row: Row) => Row]>([
  [
    'below a member',
    ({ Id, error, ...attributes }) =>
      error === undefined ? { id: Id, type: 'player', attributes } : { id: Id, type: 'player', error },
  ],
  ['below a word each', (Player) => ({ Player })],
])('an error among records whose fields stand %s is none', async (_, put) => {
  const rows = listOf((id) => ({ error: 'timeout while reading player', Id: id })).map(put);
  expect(await read({ players: rows })).toMatchObject({ outcome: 'failed' });
});

test.each<readonly [string, readonly Row[]]>([
  [
    'an error of some records beside all other fields',
    listOf((id) => player(id, { lastError: 'no signal' })),
  ],
  [
    'an error that is null for the others',
    listOf((id) => player(id, { error: 'no signal' })).map((row) => ({ error: null, ...row })),
  ],
  ['an error of every record', Array.from({ length: 57 }, (_, id) => ({ Id: id, error: 'no signal' }))],
  ['few fields and no error', listOf((id) => ({ Id: id, Name: 'new' }))],
  [
    'few fields, and an error that others have too',
    listOf((id) => ({ Id: id, lastError: 'new' })).map((row, at) =>
      at % 3 === 1 ? { ...row, lastError: null } : row,
    ),
  ],
  ['few fields and a word that all is well', listOf((id) => ({ Id: id, error: 'none', success: true }))],
  [
    'a state of every record',
    listOf((id) => player(id)).map((row, at) => ({ ...row, status: at % 5 === 0 ? 'error' : 'ok' })),
  ],
])('records are read that have %s', async (_, rows) => {
  expect(await read(rows)).toMatchObject({ outcome: 'ok', items: 57, message: null });
});

describe.each<readonly [string, readonly Row[], string]>([
  ['a text', [{ error: 'timeout' }], 'error'],
  ['an object in an object', [{ error: { inner: { reason: 'x9' } } }], 'error'],
  ['a text beside its code and its time', [{ Error: 'x9', code: 5, timestamp: '2026-11-20' }], 'Error'],
  ['a word of success', [{ success: false, message: 'gone' }], 'success'],
  ['a state and its reason', [{ status: 'error', reason: 'HDMI' }], 'status'],
  ['two of them', [{ error: 'x9' }, { error: 'x8' }], 'error'],
  ['a text behind records of one field', [{ Id: 1 }, { Id: 2 }, { error: 'x9' }], 'error'],
])('an entry that is nothing but an error, as %s', (_, rows, name) => {
  test.each(['players', 'screens'] as const)('is none of the %s', async (listing) => {
    for (const answer of [rows, { items: rows }]) {
      const end = await read(answer, {}, listing);
      expect(end).toMatchObject({ outcome: 'failed', errorCode: 'API_ERROR' });
      expect(end.message).toContain(`an error (${name}) and nothing else`);
      expect(end.question?.cures).toMatchObject([
        { setting: `resources.${listing}.ignore`, choices: [[name]] },
      ]);
      expect(await read(answer, { paging: 'none' }, listing)).toMatchObject({ errorCode: 'API_ERROR' });
      expect(await read(answer, { ignore: [name] }, listing)).toMatchObject({ outcome: 'ok', message: null });
    }
  });
});

test('an entry that is nothing but an error, as an object, is no record of the second day', async () => {
  let rows: readonly Row[] = [player(1), player(2)];
  await using server = await serve((_, response) => json(response, JSON.stringify(rows)));
  const { dialect: lock } = (await fetchFrom(server.url, 'screens')).end;
  rows = [{ error: { code: 5 } }];
  const { end } = await fetchFrom(server.url, 'screens', { ...(lock && { lock }) });
  expect(end).toMatchObject({ outcome: 'failed', errorCode: 'API_ERROR' });
});

test.each(['players', 'screens'] as const)(
  'entries of %s without a member are asked about',
  async (listing) => {
    for (const answer of [[{}], { items: [{}, {}] }]) {
      const end = await read(answer, {}, listing);
      expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
      expect(end.message).toContain('no member');
      expect(await read(answer, { complete: true }, listing)).toMatchObject({ outcome: 'ok', message: null });
    }
  },
);

test.each<readonly [string, readonly Row[]]>([
  ['a state beside a title', [{ status: 'error', title: 'HDMI 2' }]],
  ['an error beside an id', [{ Id: 1, error: 'no signal' }]],
  ['an error beside a name', [{ Name: 'HDMI 2', lastError: 'no signal' }]],
  ['an error that is none', [{ error: null, code: 0 }]],
])('one screen alone is a record that has %s', async (_, rows) => {
  expect(await read(rows, {}, 'screens')).toMatchObject({ outcome: 'ok', items: 1, message: null });
});
