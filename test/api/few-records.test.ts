import { describe, expect, test } from 'vitest';
import { besideTexts } from '#lib/api/contract/fact-texts.ts';
import { kindOfValue } from '#lib/api/read/value-kind.ts';
import { bodyOf } from './support/body-of.ts';
import { foundIn } from './support/found-records.ts';

const LOCK = { envelope: 'data', keys: ['Id', 'Name', 'Seen'] };

type Known = NonNullable<Parameters<typeof foundIn>[1]>;

const read = async (answer: unknown, known: Known) =>
  foundIn(await bodyOf(JSON.stringify(answer)), { resource: 'screens', ...known });

async function found(
  answer: unknown,
  lock: (typeof LOCK & { alongside?: Record<string, string> }) | null = LOCK,
  more: Known = {},
): Promise<string> {
  try {
    const { place } = await read(answer, { ...(lock && { lock }), ...more });
    return place === null ? 'none' : place.form === 'record' ? 'one' : `list of ${place.container.children}`;
  } catch (error) {
    return String(Reflect.get(Object(error), 'code'));
  }
}

/** The settings other than `items` that the question of an answer offers. */
async function offered(answer: unknown, known: Known) {
  const error: unknown = await read(answer, known).catch((thrown: unknown) => thrown);
  const cures: readonly { setting: string; choices: unknown }[] = Reflect.get(Object(error), 'cures');
  return cures.flatMap(({ setting, choices }) => (setting.endsWith('.items') ? [] : [{ setting, choices }]));
}

const NO_DATA = [{ count: 0 }, { data: {} }, { data: null }, { data: '' }, { total: 0, requestId: 'a-1' }];
const NOTHING = [{}, '', null, false, ...NO_DATA].map((answer) => [answer]);
test.each(NOTHING)('%j has no records where other parents prove the list', async (answer) => {
  expect(await found(answer)).toBe('none');
});
test.each([[null], [false], [''], [{}], [[]]])('%j has none where a map is proven', async (answer) => {
  const map = { envelope: 'data{}', keys: ['Id', 'Name'] };
  expect(await found({ data: answer }, map)).toMatch(/^(none|list of 0)$/);
  expect(await found(answer, { ...map, envelope: '{}' })).toMatch(/^(none|list of 0)$/);
});
test.each([[{}], [''], [false], [null]])('%j has none, whatever others answer', async (answer) => {
  expect(await found(answer, null)).toBe('none');
});
test('a count alone asks where nothing proves it', async () => {
  expect(await found({ count: 0 }, null)).toBe('ENVELOPE_UNKNOWN');
});

const RECORD = { Id: 7, Name: 'x', Seen: null };
test.each([[RECORD], [{ data: RECORD }]])('%j is the one record of a parent', async (answer) => {
  expect(await found(answer)).toBe('one');
});
test('one entry in place of a list whose entries hold the records is asked about', async () => {
  const entry = { type: 'screens', id: '7', attributes: { Name: 'x' } };
  const lock = { envelope: 'data[].attributes+', keys: ['type', 'id', 'attributes'] };
  expect(await found({ data: entry }, lock)).toBe('ENVELOPE_UNKNOWN');
});
const NEITHER = [{ Message: 'no' }, { count: 3 }, { data: { code: 7, text: 'late' } }, 'late', 7];
test.each(NEITHER.map((answer) => [answer]))('%j is neither', async (answer) => {
  expect(await found(answer)).toBe('ENVELOPE_UNKNOWN');
});

/* By the setting `items` alone: no other parent proves anything. */
const setting = 'data';

test.each([[''], [false], [null], [{}], [[]]])('where items names it, %j is no record', async (data) => {
  // Whatever stands beside it.
  const answer = { data, object: 'list', message: 'OK', error: 'none', flinuv: 3 };
  expect(await found(answer, null, { setting })).toMatch(/^(none|list of 0)$/);
});

test.each([[''], [false]])('beside a reason %j is no empty list', async (data) => {
  const answer = { data, object: 'list', status: { text: 'Device is offline' } };
  expect(await found(answer, null, { setting })).toBe('ENVELOPE_UNKNOWN');
  const choices = [['object', 'status.text']];
  expect(await offered(answer, { setting })).toEqual([{ setting: 'resources.screens.ignore', choices }]);
});

test('an answer without the list asks for what stands in it, and is none where ignore names that', async () => {
  const idle = { requestId: 'a-1', data_page: 1, copyright: 'Example, all rights' };
  const answer = { object: 'list', flinuv: 'N', ...idle };
  expect(await found(answer, null, { setting })).toBe('ENVELOPE_UNKNOWN');
  const ignore = ['object', 'flinuv'];
  const cure = { setting: 'resources.screens.ignore', choices: [ignore] };
  expect(await offered(answer, { setting })).toEqual([cure]);
  expect(await found(answer, null, { setting, ignore })).toBe('none');
});

test('what is about pages and the call says nothing, unless it counts records or says why there are none', async () => {
  const known = { lock: LOCK, setting };
  const call = { requestId: 'a-1', links: { self: { href: '/a' } } };
  for (const answer of [call, { message: 'OK', code: 200 }, { next_cursor: 'b7', hasMore: true }])
    expect(await found(answer, null, known), JSON.stringify(answer)).toBe('none');
  const words = [{ message: 'offline' }, { flinuv: 'the device is off' }, { tibwen: 'x' }];
  for (const answer of [...words, { code: 17 }, { count: 3 }])
    expect(await found(answer, null, known), JSON.stringify(answer)).toBe('ENVELOPE_UNKNOWN');
});

test('an object in place of the list is the one record where the setting id names a field of it', async () => {
  const answer = { data: { node: { Id: 7 }, Label: 'x' } };
  expect(await offered(answer, { setting })).toEqual([{ setting: 'resources.screens.id', choices: [] }]);
  expect(await found(answer, null, { setting, id: 'node.Id' })).toBe('one');
  expect(await found(answer, null, { setting, id: 'Guid' })).toBe('ENVELOPE_UNKNOWN');
});

describe('what is next to the records of other parents is no reason for none', () => {
  const fact = (name: string, value: unknown) => ({
    ...{ path: [name], isHeader: false, kind: kindOfValue(value), value },
  });
  const alongside = besideTexts([
    ...[fact('revision', 10262), fact('locale', 'de-DE'), fact('mode', 'live'), fact('count', 3)],
    ...[fact('queued', 0), fact('state', 'ready'), fact('user', 'export@example.com')],
  ]);
  const lock = { ...LOCK, alongside };

  test.each([
    [{ ok: true, revision: 10263 }],
    [{ user: 'export@example.com', locale: 'de-DE', data: {} }],
    [{ user: 'export@example.com', locale: 'de-DE' }],
    [{ mode: 'live', state: 'ready', queued: 0 }],
  ])('%j has none', async (answer) => {
    expect(await found(answer, lock)).toBe('none');
  });

  test.each([
    [{ mode: 'degraded' }],
    [{ state: 'offline', revision: 10263 }],
    [{ queued: 4 }],
    [{ count: 3 }],
    [{ revision: 10263, pending: 4 }],
    [{ revision: [{ Id: 7 }, { Id: 8 }], list: [{ Id: 9 }] }],
  ])('%j is asked about', async (answer) => {
    expect(await found(answer, lock)).toMatch(/^ENVELOPE_/);
  });

  test('without it the setting that settles the question is the first', async () => {
    const cures = await offered({ ok: true, revision: 10263, pending: 4 }, { lock: LOCK });
    expect(cures).toEqual([{ setting: 'resources.screens.ignore', choices: [['revision', 'pending']] }]);
  });
});
