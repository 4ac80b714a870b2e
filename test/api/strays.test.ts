import { describe, expect, test } from 'vitest';
import type { Contract } from '#lib/api/contract/contract.ts';
import type { ResourceName } from '#lib/sources/resources.ts';
import { fetchFrom, json, serve } from './support/serve.ts';

type Listed = Readonly<Record<string, unknown>>;

const of = (count: number, record: (at: number) => Listed) =>
  Array.from({ length: count }, (_, at) => record(at + 1));
const groups = of(60, (Id) => ({ Id, Name: `Group ${Id}`, Description: null }));
const licenses = of(60, (at) => ({ Type: `Type ${at}`, TotalCount: at, AvailableCount: 0 }));
const screens = of(25, (Id) => ({ Id, Number: Id, IsOn: true, Status: 0 }));
const players = of(9, (Id) => ({ Id, Name: `P${Id}` }));
const LISTS = { app_groups: groups, licenses, screens, players } as const;

/** The list with another entry in place of one; more than 64 KiB if each record is so wide. */
const withEntry = (list: readonly Listed[], at: number, entry: object): readonly object[] =>
  list.map((record, index) => (index === at ? entry : record));
const wide = (list: readonly Listed[]) => list.map((record) => ({ ...record, Note: 'x'.repeat(4000) }));

async function read(
  name: ResourceName,
  list: readonly object[],
  {
    contract,
    wrap = (all) => all,
  }: { contract?: Contract | null; wrap?: (all: readonly object[]) => unknown } = {},
) {
  await using server = await serve(({ url }, response) =>
    json(response, JSON.stringify(url?.includes('?') ? [] : wrap(list))),
  );
  return (await fetchFrom(server.url, name, { ...(contract && { contract }) })).end;
}

const REFUSED = { outcome: 'failed', errorCode: 'API_ERROR' };
const READ = { outcome: 'ok', errorCode: null, message: null };

const ENTRIES: readonly object[] = [
  { error: 'backend offline' },
  { items: [{ a: 1 }], total: 60 },
  { status: 'error', message: 'timeout' },
  { Id: null, Type: null, Name: null, Status: 'error' },
  { error: 'backend offline', code: 17, type: 'Timeout' },
];

describe.each(Object.entries(LISTS))('of %s', (name, list) => {
  const resource = name as keyof typeof LISTS;
  const places = [0, 3, list.length - 1, Math.min(40, list.length - 2)];

  test.each(ENTRIES)('%j is no record at any place on any day', async (entry) => {
    const { contract } = await read(resource, list);
    for (const place of places) {
      const answer = withEntry(list, place, entry);
      const days = [await read(resource, answer), await read(resource, answer, { contract })];
      for (const end of days) expect(end, `${place}`).toMatchObject(REFUSED);
      expect(days[1]?.question?.cures[0]?.setting).toBe(`resources.${name}.ignore`);
    }
  });

  test('it is none behind 64 KiB, and in an envelope', async () => {
    const large = withEntry(wide(list), list.length - 1, { error: 'backend offline' });
    expect(await read(resource, large)).toMatchObject(REFUSED);
    expect(await read(resource, large, { wrap: (items) => ({ items }) })).toMatchObject(REFUSED);
  });

  test.each([
    ['null', { error: null, status: null, message: null }],
    ['empty', { error: '', status: '', message: '' }],
    ['fine', { error: 'none', status: 'ok', message: 'OK' }],
  ])('records with such members of their own are read where these are %s', async (_, members) => {
    const own = list.map((record) => ({ ...record, ...members }));
    const first = await read(resource, own);
    expect(first).toMatchObject(READ);
    expect(await read(resource, own, { contract: first.contract })).toMatchObject(READ);
    for (const entry of ENTRIES)
      expect(await read(resource, withEntry(own, 5, entry))).toMatchObject(REFUSED);
  });
});

test('an entry of a map that has nothing of the others is none', async () => {
  for (const list of [wide(groups), of(40, (Width) => ({ Width, Height: 2 }))]) {
    const map = Object.fromEntries(list.map((record, at) => [`k${at}`, record]));
    expect(await read('app_groups', list, { wrap: () => map })).toMatchObject(READ);
    const wrap = () => ({ ...map, pagination: { total: 3000 } });
    expect(await read('app_groups', list, { wrap })).toMatchObject(REFUSED);
  }
});

test('an answer with a record and an error is refused, whatever came before', async () => {
  const answer = [{ Id: 1, IsOn: true }, { error: 'read timed out' }];
  for (const contract of [null, { envelope: '$', paging: 'none', keys: ['Id', 'Name', 'IsOn'] }])
    expect(await read('screens', answer, { contract })).toMatchObject(REFUSED);
});

test('a state of a record next to its id is none of the call, also where it leaves out what has no value', async () => {
  const own = players.map((record) => ({ ...record, status: 'error', error: 'no signal', City: 'Bonn' }));
  const first = await read('players', own);
  expect(first).toMatchObject(READ);
  const sparse = withEntry(own, 4, { Id: 5, error: 'no signal' });
  for (const contract of [null, first.contract])
    expect(await read('players', sparse, { contract })).toMatchObject(READ);
});

test('what the setting ignore names reports no failure', async () => {
  const answer = JSON.stringify(withEntry(players, 4, { error: 'player offline' }));
  await using server = await serve((_, response) => json(response, answer));
  const source = { resources: { players: { ignore: ['error'] } } };
  expect((await fetchFrom(server.url, 'players', { source })).end).toMatchObject({ outcome: 'ok' });
});
