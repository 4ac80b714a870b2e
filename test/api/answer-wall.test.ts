import { expect, test } from 'vitest';
import { resourceNamed } from '#lib/sources/resources.ts';
import { API_KEY, clientOf, fetchAll, fetchFrom, json, serve, sourceAt } from './support/serve.ts';

/** Names that every object of JavaScript has. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

const asRoot = (name: string) => `{"data":[{"Id":1}],${JSON.stringify(name)}:null}`;
const asObject = (name: string) => `{"data":[{"Id":1}],${JSON.stringify(name)}:{"a":"b c"}}`;
const asPlace = (name: string) => `{${JSON.stringify(name)}:{"Id":1},"data":[{"Id":1}]}`;
const asList = (name: string) => `{${JSON.stringify(name)}:[{"Id":1}]}`;
const asMember = (name: string) => `[{"Id":1,${JSON.stringify(name)}:"x"}]`;
const asMap = (name: string) => `{${JSON.stringify(name)}:{"Id":1,"Name":"x"},"b":{"Id":2,"Name":"y"}}`;
const endOf = async (body: string) => {
  await using server = await serve((_request, response) => json(response, body));
  const { outcome, errorCode, items } = (await fetchFrom(server.url, 'players')).end;
  return { outcome, errorCode, items };
};
test.each(INHERITED)('a name that every object of JavaScript has is a name like others: %s', async (name) => {
  for (const write of [asRoot, asObject, asPlace, asList, asMember, asMap]) {
    const [here, other] = await Promise.all([name, 'zebra'].map((each) => endOf(write(each))));
    expect(here, write.name).toEqual(other);
  }
  await using server = await serve((_request, response) => json(response, '[{"Id":1}]', { [name]: 'x y' }));
  expect((await fetchFrom(server.url, 'players')).end).toMatchObject({ outcome: 'ok' });
});

test('a word that is none in a body over 64 KiB, where other parents proved how answers are built, fails its item', async () => {
  const text = JSON.stringify('x'.repeat(70_000));
  await using server = await serve((_request, response) => json(response, `{"flag":tru,"text":${text}}`));
  const lock = { envelope: 'data', paging: 'none', keys: ['Id'], evidence: [] };
  const { end } = await fetchFrom(server.url, 'screens', { contract: lock });
  expect(end).toMatchObject({ outcome: 'failed', errorCode: 'BODY_NOT_JSON' });
});

test('what a reader of records throws ends in the outcome of the item, without a word of what it read', async () => {
  await using server = await serve((_request, response) => json(response, '[{"Id":1,"Pin":"4711"}]'));
  const source = sourceAt(server.url);
  await using client = clientOf(source);
  const listing = { client, source, resource: resourceNamed('screens'), parentId: '7' };
  const { rows, end } = await fetchAll(listing, () => {
    throw new RangeError('4711 is too much');
  });
  const failed = { outcome: 'failed', errorCode: 'ANSWER_UNREADABLE' };
  expect(rows).toMatchObject([{ ...failed, status: 200, body: null }]);
  expect(end.message).toContain('RangeError');
  expect(JSON.stringify([rows, end])).not.toContain('4711');
  expect((await fetchAll(listing)).end).toMatchObject({ outcome: 'ok', items: 1 });
});

test('a secret that cannot be read again while its key works costs one item', async () => {
  let reads = 0;
  const secrets = {
    read: async () => {
      reads += 1;
      if (reads > 1) throw new Error('no such secret');
      return { apiKey: API_KEY };
    },
  };
  await using server = await serve((request, response) =>
    request.url?.includes('/3/') ? response.writeHead(401).end() : json(response, '[]'),
  );
  await using client = clientOf(sourceAt(server.url, { concurrency: 2 }), { secrets });
  const bounds = { maxBytes: 1000, timeoutMs: 5000 };
  const replies = [];
  for (let id = 0; id < 10; id += 1)
    replies.push(await client.get({ path: `/Players/${id}/Screens`, query: {} }, bounds));
  const ends = replies.map((reply) => (reply.kind === 'answer' ? 'ok' : reply.outcome));
  expect(ends).toEqual(replies.map((_, id) => (id === 3 ? 'denied' : 'ok')));
  expect(client.refused()).toBeUndefined();
});

const MAP = '{"a":{"Id":1,"Name":"x"},"b":{"Id":2,"Name":"y"}}';
test.each([
  '[null]',
  '[null,{"Id":1}]',
  '[null,{"screens":[{"Id":1}]}]',
  '[[null],[{"Id":1}]]',
  `{"data":[null],"map":${MAP}}`,
  `{"data":[null,{"Id":1}],"map":${MAP}}`,
  `{"data":[null,null,1,"x",[]],"map":${MAP}}`,
  `{"data":{"items":[null,{"Id":1}]},"map":{"a":null,"b":{"Id":1}}}`,
])('an entry that is null is understood or asked about: %s', async (body) => {
  await using server = await serve((_request, response) => json(response, body));
  for (const name of ['players', 'screens', 'backup_pricing'] as const) {
    for (const items of [undefined, '$', 'data', 'data.items', 'map{}']) {
      const source = items === undefined ? {} : { resources: { [name]: { items } } };
      const { end } = await fetchFrom(server.url, name, { source });
      expect(end.errorCode, `${name}, ${items}: ${end.message}`).not.toBe('ANSWER_UNREADABLE');
    }
  }
});
