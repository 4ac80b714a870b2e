import { describe, expect, test } from 'vitest';
import { parseEnvelope, renderEnvelope } from '#lib/api/records/items-path.ts';
import { found, TWO } from './support/found-records.ts';

describe('decided by the evidence', () => {
  const CASES: ReadonlyArray<readonly [body: string, found: string]> = [
    [TWO, '$: 2'],
    ['[]', '$: 0'],
    [`{"value":${TWO},"@odata.count":2}`, 'value: 2'],
    [`{"Items":${TWO}}`, 'Items: 2'],
    [`{"results":${TWO},"count":2,"next":null}`, 'results: 2'],
    [`{"rows":${TWO}}`, 'rows: 2'],
    [`{"records":${TWO}}`, 'records: 2'],
    [`{"result":${TWO}}`, 'result: 2'],
    [`{"result":"success","data":${TWO}}`, 'data: 2'],
    [`{"d":{"results":${TWO},"__count":"2"}}`, 'd.results: 2'],
    [`{"data":{"items":${TWO},"total":2}}`, 'data.items: 2'],
    [`{"players":${TWO},"totalCount":2,"success":{"ok":true}}`, 'players: 2'],
    [`{"Players":${TWO}}`, 'Players: 2'],
    [`{"data":[],"meta":{"total":0}}`, 'data: 0'],
    [`{"data":${TWO},"included":[{"Id":9}]}`, 'data: 2'],
    [`{"content":${TWO},"sort":[{"property":"Id"}],"last":true}`, 'content: 2'],
    [`{"_items":${TWO},"_meta":{"total":2}}`, '_items: 2'],
    [`{"hydra:member":${TWO},"hydra:totalItems":2}`, 'hydra:member: 2'],
    [`{"member":${TWO}}`, 'member: 2'],
    [`{"objects":${TWO},"meta":{"limit":20}}`, 'objects: 2'],
    [`{"list":${TWO}}`, 'list: 2'],
    [`{"data":{"entries":${TWO}}}`, 'data.entries: 2'],
    [`{"response":{"numFound":2,"docs":${TWO}}}`, 'response.docs: 2'],
    [`{"took":3,"hits":{"total":2,"hits":${TWO}}}`, 'hits.hits: 2'],
    [`{"_embedded":{"geraete":${TWO}},"_links":{"self":{"href":"/"}}}`, '_embedded.geraete: 2'],
    [`{"_embedded":{"players":[]},"page":{"totalElements":0}}`, '_embedded.players: 0'],
    [`{"data":{"devices":{"nodes":${TWO},"pageInfo":{"hasNextPage":false}}}}`, 'data.devices.nodes: 2'],
    [`{"data":${TWO},"columns":["Id"],"rows":["Id"]}`, 'data: 2'],
    [`{"clients":${TWO},"totalCount":2}`, 'clients: 2'],
    [`{"response":{"body":{"clients":${TWO}}}}`, 'response.body.clients: 2'],
    ['{"payload":{"data":[]}}', 'payload.data: 0'],
    ['{"body":{"payload":{"info":{"moreResultsAvailable":false},"players":[]}}}', 'body.payload.players: 0'],
    ['["north","south"]', '$[]=value: 2'],
    ['{"data":[1,2,null]}', 'data[]=value: 3'],
    ['[{"Id":1},null]', '$: 2'],
    ['{"0":{"Id":1},"2":{"Id":3}}', '$: 2'],
    ['{"0":{"Id":1}}', '$: 1'],
    ['{"7":{"Id":"7","Name":"x"},"b":{"Id":"b"}}', '{}: 2'],
    ['{"data":{"0":{"Id":1},"2":{"Id":3}}}', 'data: 2'],
    ['{"0":{"File":"a"},"2":{"File":"b"}}', '{}: 2'],
    [
      '[{"type":"a","id":"1","attributes":{"x":1}},{"type":"a","id":"2","attributes":{}}]',
      '$[].attributes+: 2',
    ],
    ['{"data":[{"id":1,"attributes":{"x":1},"relationships":{}}]}', 'data[].attributes+: 1'],
    ['[{"id":"1","attributes":{"x":1},"state":"on"}]', '$: 1'],
    ['{"results":[{"id":"1","properties":{"x":1},"createdAt":"2026"}]}', 'results[].properties+: 1'],
    ['{"records":[{"id":"rec1","createdTime":"2026","fields":{"x":1}}]}', 'records[].fields+: 1'],
    ['{"total_rows":1,"rows":[{"id":"1","key":"1","value":{"rev":"1"},"doc":{"x":1}}]}', 'rows[].doc+: 1'],
    ['{"hits":{"hits":[{"_index":"p","_id":"1","_score":1,"_source":{"x":1}}]}}', 'hits.hits[]._source+: 1'],
    ['[{"id":"1","name":"Lobby","properties":{"x":1}}]', '$: 1'],
    ['[{"attributes":{"type":"x"},"Id":"1","Name":"a"}]', '$: 1'],
    ['{"data":{"players":{"edges":[{"node":{"Id":1},"cursor":"a"}]}}}', 'data.players.edges[].node{1}: 1'],
    ['{"a":{"Id":1,"Name":"x"},"b":{"Id":2,"Name":"y"}}', '{}: 2'],
    ['{"data":{"a":{"Id":1,"Name":"x"},"b":{"Id":2}}}', 'data{}: 2'],
  ];
  for (const [body, due] of CASES) test(`${body} → ${due}`, async () => expect(await found(body)).toBe(due));

  test('a price list may be one object, in an envelope or by itself', async () => {
    const prices = (body: string) => found(body, { resource: 'backup_pricing' });
    const list = '{"currency":"CHF","plans":[{"id":1}]}';
    expect(await prices(`{"result":"success","data":${list}}`)).toBe('data{1}: 1');
    expect(await prices(list)).toBe('{1}: 1');
    expect(await prices('{"data":[{"id":1}]}')).toBe('data: 1');
    expect(await prices('{"a":{"code":1,"price":2},"b":{"code":2,"price":3}}')).toBe('{}: 2');
    expect(await prices('{"Message":"OK"}')).toMatch(/^ENVELOPE_UNKNOWN/);
    expect(await prices('{"data":{}}')).toMatch(/^ENVELOPE_UNKNOWN/);
  });

  test('a child without records may be links, and the numbers of a page', async () => {
    const links = '"_links":{"self":{"href":"/x"}}';
    const none = `{${links},"page":{"size":20,"totalElements":0,"totalPages":0,"number":0}}`;
    expect(await found(none, { resource: 'screens' })).toBe('$: none');
    const other = `{${links},"page":{"size":20},"state":{"reason":"offline"}}`;
    expect(await found(other, { resource: 'screens' })).toMatch(/^ENVELOPE_UNKNOWN/);
  });

  test('a child without records may say so by null', async () => {
    expect(await found('{"result":"success","data":null}', { resource: 'screens' })).toBe('data: none');
    expect(await found('{"result":"success","data":null}')).toMatch(/^ENVELOPE_UNKNOWN/);
    expect(await found('null', { resource: 'screens' })).toBe('$: none');
  });
});

describe('not decided: an error that names the setting and what was seen, no value', () => {
  const CASES: ReadonlyArray<readonly [body: string, code: string, seen: RegExp]> = [
    ['{"Id":1,"Name":"geheim"}', 'ENVELOPE_UNKNOWN', /"Id": number, "Name": string/],
    [`{"clients":${TWO},"Id":2}`, 'ENVELOPE_UNKNOWN', /"clients": array of 2/],
    [`{"clients":${TWO},"offline":[]}`, 'ENVELOPE_UNKNOWN', /"clients": array of 2/],
    ['{"clients":[]}', 'ENVELOPE_UNKNOWN', /"clients": array of 0/],
    ['{"clients":[],"total":0,"region":"north"}', 'ENVELOPE_UNKNOWN', /"clients": array of 0/],
    [`{"data":${TWO},"items":${TWO}}`, 'ENVELOPE_AMBIGUOUS', /data \(array of 2\) or items \(array of 2\)/],
    [`{"data":{"items":${TWO},"rows":[]}}`, 'ENVELOPE_AMBIGUOUS', /data\.items \(array of 2\) or data\.rows/],
    [`{"data":${TWO},"data":[]}`, 'ENVELOPE_AMBIGUOUS', /data/],
    [`{"data":${TWO},"old":{"list":[{"Id":3,"Name":"n"}]}}`, 'ENVELOPE_AMBIGUOUS', /old\.list/],
    [`{"data":${TWO},"more":{"players":[{"x":3}]}}`, 'ENVELOPE_AMBIGUOUS', /more\.players/],
    ['{"member":[],"search":{"mapping":[{"variable":"name"}]}}', 'ENVELOPE_AMBIGUOUS', /search\.mapping/],
    ['{"payload":{"clients":[]}}', 'ENVELOPE_UNKNOWN', /"payload": object of 1/],
    ['{"payload":{"data":[]},"old":{"a":{"Id":1},"b":{"Id":2}}}', 'ENVELOPE_UNKNOWN', /"old": object of 2/],
    ['{"payload":{"data":[]},"body":{"items":[]}}', 'ENVELOPE_UNKNOWN', /"body": object of 1/],
    ['{"a":{"b":{"c":{"data":[]}}}}', 'ENVELOPE_UNKNOWN', /"a": object of 1/],
    ['[1,true,"x"]', 'ENVELOPE_UNKNOWN', /3 of 3 entries are not objects/],
    ['[{"Id":1},"x"]', 'ENVELOPE_UNKNOWN', /1 of 2 entries/],
    ['[null]', 'ENVELOPE_UNKNOWN', /1 of 1 entries/],
    ['"geheim"', 'ENVELOPE_UNKNOWN', /single value \(seen: string\)/],
    ['null', 'ENVELOPE_UNKNOWN', /seen: null/],
    ['{"a":{"Id":1}}', 'ENVELOPE_UNKNOWN', /"a": object of 1/],
    ['{"a":{"Id":1},"b":{"x":2}}', 'ENVELOPE_UNKNOWN', /"a": object of 1, "b": object of 1/],
    ['{"success":{"Id":1},"b":{"Id":2}}', 'ENVELOPE_UNKNOWN', /"success"/],
    ['{"a":{"Id":1},"b":{"Id":2},"c":3}', 'ENVELOPE_UNKNOWN', /"c": number/],
  ];
  for (const [body, code, seen] of CASES) {
    test(`${body} → ${code}`, async () => {
      const said = await found(body);
      expect(said).toMatch(new RegExp(`^${code}: `));
      expect(said).toMatch(seen);
      expect(said).toContain('Set resources.players.items to ');
      expect(said).not.toContain('geheim');
    });
  }

  test('a deeper list of other objects does not hide the records, nor a total of 0', async () => {
    const search = '"hydra:search":{"@type":"T","hydra:mapping":[{"@type":"M","variable":"name"}]}';
    expect(await found(`{"hydra:member":${TWO},${search}}`)).toBe('hydra:member: 2');
    expect(await found(`{"hydra:member":[],"hydra:totalItems":0,${search}}`)).toBe('hydra:member: 0');
  });

  test('a list of other objects does not hide the records', async () => {
    const groups = '"groups":[{"Path":"/north","Parent":null,"Name":"north"}]';
    for (const name of ['players', 'data']) {
      expect(await found(`{"${name}":${TWO},${groups}}`)).toBe(`${name}: 2`);
      expect(await found(`{"${name}":[],${groups},"total":0}`)).toBe(`${name}: 0`);
      expect(await found(`{"${name}":[],${groups}}`)).toMatch(/^ENVELOPE_AMBIGUOUS/);
    }
    expect(await found(`{"players":${TWO},"archived":[{"Id":3}]}`)).toMatch(/^ENVELOPE_AMBIGUOUS/);
  });

  test('an empty list beside a map is one of two candidates', async () => {
    const said = await found('{"data":{"a":{"Id":1},"b":{"Id":2}},"items":[]}');
    expect(said).toMatch(/^ENVELOPE_AMBIGUOUS: .*items \(array of 0\) or data \(object of 2\)/);
  });

  test('the one list beside an id is named as the setting, for the answer may be one record', async () => {
    const said = await found(`{"Id":1,"outputs":${TWO}}`);
    expect(said).toContain('Set resources.players.items to "outputs" if the records are there');
  });

  test('of many long keys only some are shown', async () => {
    const keys = Array.from({ length: 100 }, (_, index) => `${index}`.padStart(99, 'k'));
    const said = await found(JSON.stringify(Object.fromEntries(keys.map((key) => [key, 1]))));
    expect(said.length).toBeLessThan(1000);
    expect(said).toContain('88 more');
  });
});

describe('records in another form are asked about with the value that reads them', () => {
  const THREE = '[{"Id":3},{"Id":4},{"Id":5}]';
  test.each([
    ['wrappers of one record', '[{"Player":{"Id":1}},{"Player":{"Id":2}}]', '$[].Player{1}'],
    ['a level too many', `[{"screens":${TWO}}]`, '$[].screens'],
    ['a level too many in an envelope', `{"data":[{"screens":${TWO}}]}`, 'data[].screens'],
    ['lists by status', `{"online":${TWO},"offline":${THREE}}`, 'online'],
    ['two lists, one by its own name', `{"Players":${TWO},"OfflinePlayers":${THREE}}`, 'OfflinePlayers'],
    ['columns and rows', '{"columns":["Id","On"],"rows":[[1,true],[2,false]]}', 'rows[columns]'],
  ])('%s: %s', async (_, body, setting) => {
    const said = await found(body);
    expect(said).toMatch(/^ENVELOPE_(UNKNOWN|AMBIGUOUS): /);
    expect(said).toContain(JSON.stringify(setting));
    expect(await found(body, { setting })).toMatch(`${setting}: `);
  });

  test.each([
    ['an id of its own', '[{"Id":1,"screens":[{"Id":11}]},{"Id":2,"screens":[{"Id":21}]}]'],
    ['values like those of the others', '[{"Label":"a","screens":[{"Id":11}]},{"Label":"b","screens":[]}]'],
  ])('what holds a list and has %s is a record', async (_, body) => {
    expect(await found(body)).toBe('$: 2');
  });
});

test('an envelope is written and read in one way', () => {
  const right =
    '$ data d.results {} data{} {1} data.price{1} $[].screens data[].group.players edges[].node{1} data{}.players rows[columns] result.rows[result.columns] data[].attributes+ $[]=value data.names[]=value';
  const isOther = (text: string) => {
    const envelope = parseEnvelope(text);
    return envelope === null || renderEnvelope(envelope) !== text;
  };
  expect(right.split(' ').filter(isOther)).toEqual([]);
  const wrong = ['', ...'a{2} { a. .a [] a[ a[] [].a {}[] a(json) a() a[]. []=value'.split(' ')];
  expect(wrong.filter((text) => parseEnvelope(text) !== null)).toEqual([]);
});
