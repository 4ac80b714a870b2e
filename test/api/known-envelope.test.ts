import { describe, expect, test } from 'vitest';
import { found, TWO } from './support/found-records.ts';

describe('the setting wins and is validated', () => {
  test.each<[setting: string, body: string, due: string | RegExp]>([
    ['$', TWO, '$: 2'],
    ['clients', `{"clients":${TWO}}`, 'clients: 2'],
    ['Clients', `{"clients":${TWO}}`, 'clients: 2'],
    ['items', `{"data":[],"items":${TWO}}`, 'items: 2'],
    ['a.b', `{"a":{"b":${TWO}}}`, 'a.b: 2'],
    ['{}', '{"a":{"Id":1}}', '{}: 1'],
    ['{}', '{}', '{}: 0'],
    ['{}', '[]', '{}: none'],
    ['data{}', '{"data":[]}', 'data{}: none'],
    ['data{}', '{"data":{"a":{"x":1},"b":{"y":2}}}', 'data{}: 2'],
    ['data{1}', '{"data":{"Id":1}}', 'data{1}: 1'],
    ['clients', TWO, /^ENVELOPE_UNKNOWN: The setting items is "clients", but nothing is there/],
    ['$', `{"data":${TWO}}`, /^ENVELOPE_UNKNOWN: The setting items is "\$", but an object is there/],
    ['{}', TWO, '$: 2'],
    ['data', '{"data":{"0":{"x":1},"2":{"x":2}}}', 'data: 2'],
    ['data', '{"data":[{"id":"1","attributes":{}}]}', 'data: 1'],
    ['data[].attributes+', '{"data":[{"id":"1","attributes":{}}]}', 'data[].attributes+: 1'],
    ['{}', '{"a":1,"b":2}', /but an object is there/],
    ['data', '{"data":[1]}', 'data[]=value: 1'],
    ['data', '{"data":[true]}', /1 of 1 entries are not objects/],
    ['', TWO, /which is no path/],
    ['a..b', TWO, /which is no path/],
  ])('%s on %s', async (setting, body, due) => {
    const told = typeof due === 'string' ? due : expect.stringMatching(due);
    expect(await found(body, { setting })).toEqual(told);
  });

  test('it may say where a child has null, and that an object is the one price list', async () => {
    expect(await found('{"list":null}', { resource: 'screens', setting: 'list' })).toBe('list: none');
    expect(await found('{"list":null}', { setting: 'list' })).toMatch(/^ENVELOPE_UNKNOWN/);
    const prices = await found('{"list":{"a":1}}', { resource: 'backup_pricing', setting: 'list' });
    expect(prices).toBe('list{1}: 1');
  });
});

test('one entry alone is an error where it reports a failure and has no id', async () => {
  const screens = { resource: 'screens' } as const;
  expect(await found('[{"error":"player offline","code":17}]', screens)).toMatch(/^API_ERROR/);
  expect(await found('[{"Id":17,"error":"no signal"}]', screens)).toBe('$: 1');
  expect(await found('[{"Number":1,"IsOn":true}]', screens)).toBe('$: 1');
});

describe('a lock', () => {
  test('makes a map of one entry, or of none, a listing', async () => {
    expect(await found('{"a":{"Id":1}}', { lock: '{}' })).toBe('{}: 1');
    expect(await found('{}', { lock: '{}' })).toBe('{}: 0');
    expect(await found('{"data":{}}', { lock: 'data{}' })).toBe('data{}: 0');
  });

  test('makes a map only of entries that are like those by which it was known, and never of an error', async () => {
    const lock = { lock: '{}', keys: ['Id', 'Name', 'Size'] };
    expect(await found('{"a":{"Id":1,"Name":"x"}}', lock)).toBe('{}: 1');
    expect(await found('{"a":{"Id":1,"Name":"x","Size":2,"New":1,"B":1,"C":1,"D":1}}', lock)).toBe('{}: 1');
    for (const answer of [
      '{"error":{"Id":1,"Name":"no such player"}}',
      '{"Message":{"Id":1,"Name":"no such player"}}',
      '{"fault":{"code":1,"Name":"no such player"}}',
      '{"status":{"text":"late"}}',
      '{"a":{}}',
    ])
      expect(await found(answer, lock), answer).toMatch(/^ENVELOPE_UNKNOWN/);
  });

  test('lets arrays move, for an array is no guess', async () => {
    expect(await found(`{"items":${TWO}}`, { lock: '$' })).toBe('items: 2');
    expect(await found(TWO, { lock: 'data.items' })).toBe('$: 2');
  });

  const MAP = '{"a":{"Id":1,"Name":"x"},"b":{"Id":2,"Name":"y"}}';
  test('lets a list become a map, and a map a list', async () => {
    expect(await found(MAP, { lock: '$' })).toBe('{}: 2');
    expect(await found('{"3":{"x":1},"9":{"x":2}}', { lock: '$' })).toBe('$: 2');
    expect(await found(`{"items":{"-Nabc":{"Id":1}}}`, { lock: 'items', keys: ['Id'] })).toBe('items{}: 1');
    expect(await found(TWO, { lock: '{}' })).toBe('$: 2');
    expect(await found('[null,{"x":1}]', { lock: '{}' })).toBe('$: 2');
    expect(await found('{"data":{"Id":1}}', { lock: '$', keys: ['Id'] })).toMatch(/^ENVELOPE_UNKNOWN/);
  });

  test('is followed beside another list, unless its own is empty', async () => {
    expect(await found(`{"data":${TWO},"more":${TWO}}`, { lock: 'data' })).toBe('data: 2');
    expect(await found(`{"data":[],"items":${TWO}}`, { lock: 'data' })).toMatch(/^ENVELOPE_AMBIGUOUS/);
  });

  test('takes no error in the list for a record', async () => {
    const lock = { lock: '$', keys: ['Id', 'Name', 'IsOn'] };
    const screens = { ...lock, resource: 'screens' } as const;
    for (const answer of [
      '[{"error":"player offline","code":17}]',
      '[{"message":"player offline"}]',
      '[{"id":17,"error":"player offline"}]',
    ])
      expect(await found(answer, screens), answer).toMatch(/^API_ERROR: An entry of the list has /);
    expect(await found('[{"error":"no database"}]', lock)).toMatch(/^API_ERROR/);
    const one = '[{"error":"player offline","code":17}]';
    expect(await found(one, { ...screens, ignore: ['error'] })).toBe('$: 1');
  });

  test('lets records have an error, or other names than before', async () => {
    const screens = { lock: '$', keys: ['Id', 'Name', 'IsOn'], resource: 'screens' } as const;
    expect(await found('[{"Id":1,"error":"no signal"}]', screens)).toBe('$: 1');
    expect(await found('[{"id":1,"name":"a"},{"id":2,"name":"b"}]', screens)).toBe('$: 2');
    expect(await found('[{"Code":"a"},{"Code":"b"}]', screens)).toBe('$: 2');
    const noId = { ...screens, keys: ['Number', 'IsOn'] };
    expect(await found('[{"number":1,"isOn":true}]', noId)).toBe('$: 1');
  });

  test('lets no records with keys become texts', async () => {
    expect(await found('["late"]', { lock: '$', keys: ['Id'] })).toMatch(/^ENVELOPE_UNKNOWN/);
    expect(await found('[]', { lock: '{}' })).toBe('$: 0');
  });
});
