import { describe, expect, test } from 'vitest';
import type { ListingEnd } from '#lib/api/listing.ts';
import { fetchFrom, json, serve } from './support/serve.ts';

/* A word beside the records that was one thing while the listing was whole, and is another one beside fewer records. */

type Lock = ListingEnd['dialect'];

const records = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ Id: index + 1, Name: `Player ${index + 1}` }));

interface Day {
  readonly count: number;
  readonly lock?: Lock;
  readonly settings?: object;
  readonly headers?: Record<string, string>;
  /** Whether the records are the whole answer. */
  readonly isBare?: boolean;
}

async function day(says: object, { count, lock = null, settings = {}, headers, isBare }: Day) {
  await using server = await serve((_, response) => {
    const players = records(count);
    json(response, JSON.stringify(isBare === true ? players : { ...says, players }), headers);
  });
  const players = { columns: {}, drop: [], mask: [], ...settings };
  const read = await fetchFrom(server.url, 'players', {
    source: { resources: { players } },
    ...(lock && { lock }),
  });
  return { ...read.end, came: read.records.length };
}

describe.each<readonly [string, object, object, object]>([
  ['a word of a known name', { mode: 'full' }, { mode: 'delta' }, {}],
  [
    'a word of the object beside',
    { meta: { view: { scope: 'all' } } },
    { meta: { view: { scope: 'recent' } } },
    {},
  ],
  ['two words', { type: 'full export' }, { type: 'changes only' }, { ignore: ['type'] }],
  ['a flag of a known name', { demo: false }, { demo: true }, {}],
  [
    'a word where the config says that one answer is all',
    { mode: 'full' },
    { mode: 'delta' },
    { paging: 'none' },
  ],
  ['a share of what answered', { coverage: 1 }, { coverage: 0.91 }, { ignore: ['coverage'] }],
  ['a number that the config ignores', { standorte: '11' }, { standorte: '9' }, { ignore: ['standorte'] }],
  ['a word of success', { umfang: 'complete' }, { umfang: 'delta' }, { ignore: ['umfang'] }],
  ['a list', { regions: ['eu', 'us'] }, { regions: ['eu'] }, { ignore: ['regions'] }],
  ['a list of objects', { sites: [{ a: 1 }, { a: 2 }] }, { sites: [{ a: 3 }] }, { ignore: ['sites'] }],
  [
    'a sentence',
    { hinweis: 'API v2 is in preview.' },
    { hinweis: 'Devices of 2 customers are hidden.' },
    { ignore: ['hinweis'] },
  ],
  ['a word to a name with a number', { quelle: 'primary' }, { quelle: 'replica-2' }, { ignore: ['quelle'] }],
  ['a limit of pages', { maxPages: 5 }, { maxPages: 2 }, { paging: 'none' }],
  ['a limit', { rowLimit: 1000 }, { rowLimit: 40 }, { paging: 'none' }],
  ['a word that the config ignores', { umfang: 'alles' }, { umfang: 'neues' }, { ignore: ['umfang'] }],
])('%s', (_, before, now, settings) => {
  test('with fewer records: nothing is removed for it, until the setting says so', async () => {
    const first = await day(before, { count: 57, settings });
    expect(first).toMatchObject({ outcome: 'ok', message: null });
    const lock = first.dialect;
    const turned = await day(now, { count: 40, lock, settings });
    expect(turned).toMatchObject({
      outcome: 'ok',
      came: 40,
      errorCode: 'PAGING_UNPROVEN',
      dialect: { isCapSuspected: true },
    });
    expect(turned.message).toContain(`with 40 records of 57`);
    // What is in question is not known tomorrow, and neither is its number of records.
    const again = await day(now, { count: 40, lock: turned.dialect, settings });
    expect(again.errorCode).toBe('PAGING_UNPROVEN');
    const back = await day(before, { count: 40, lock: turned.dialect, settings });
    expect(back.message).toBeNull();
    const [cure] = turned.question?.cures ?? [];
    const name = cure?.setting.split('.').at(-1) ?? '';
    expect(name).toBe('ignore' in settings ? 'complete' : 'ignore');
    const answered = { ...settings, [name]: cure?.choices[0] };
    const declared = await day(now, { count: 40, lock, settings: answered });
    expect(declared.message).toBeNull();
    expect((await day(now, { count: 31, lock: declared.dialect, settings: answered })).message).toBeNull();
  });

  test('is no news where it was seen to change beside all records', async () => {
    const first = await day(before, { count: 57, settings });
    const changed = await day(now, { count: 57, lock: first.dialect, settings });
    expect(changed.message).toBeNull();
    expect((await day(before, { count: 31, lock: changed.dialect, settings })).message).toBeNull();
    expect((await day(now, { count: 21, lock: changed.dialect, settings })).message).toBeNull();
  });

  test('asks nothing for a few records less', async () => {
    const first = await day(before, { count: 57, settings });
    expect((await day(now, { count: 55, lock: first.dialect, settings })).message).toBeNull();
  });
});

test('a word that turns is asked about, though complete was said for another reason', async () => {
  const settings = { complete: true };
  const first = await day({ mode: 'full' }, { count: 50, settings });
  expect(first.message).toBeNull();
  const turned = await day({ mode: 'delta' }, { count: 40, lock: first.dialect, settings });
  expect(turned).toMatchObject({ outcome: 'ok', errorCode: 'PAGING_UNPROVEN' });
});

test.each([
  ['how long it took', { took: 12 }, { took: 13 }],
  ['a server with a number', { node: 'a7' }, { node: 'b3' }],
  ['a number in a sentence', { copyright: '57 of 57 in 12 ms' }, { copyright: '43 of 43 in 9 ms' }],
  ['a version', { version: '1.12' }, { version: '1.13' }],
  ['an id', { requestId: 'b1f0-77aa' }, { requestId: 'c9d2-01ff' }],
  ['a time', { generated: '2026-11-21T03:00:00Z' }, { generated: '2026-11-22T03:00:00Z' }],
  ['a day of the week', { updated: 'Saturday' }, { updated: 'Sunday' }],
  ['a word of success', { message: 'OK' }, { message: 'success' }],
  ['a word that is gone', { mode: 'full' }, {}],
  ['a new word', {}, { mode: 'full' }],
  ['letters in another case', { mode: 'Full' }, { mode: 'FULL' }],
])('%s is no word that turns', async (_, before, now) => {
  const first = await day(before, { count: 57 });
  expect((await day(now, { count: 43, lock: first.dialect })).message).toBeNull();
});

test('the number of records, which the config ignores, is no number that turns', async () => {
  const settings = { ignore: ['anzahl'] };
  const first = await day({ anzahl: 57 }, { count: 57, settings });
  expect((await day({ anzahl: 43 }, { count: 43, lock: first.dialect, settings })).message).toBeNull();
});

test('a number that was that of the records, and is not any more, has turned', async () => {
  const settings = { ignore: ['gelesen'] };
  const first = await day({ gelesen: 57 }, { count: 57, settings });
  const turned = await day({ gelesen: 57 }, { count: 43, lock: first.dialect, settings });
  expect(turned).toMatchObject({ outcome: 'ok', came: 43, errorCode: 'PAGING_UNPROVEN' });
});

test('a 0 beside no record has not turned', async () => {
  const first = await day({ error: { code: 0 } }, { count: 57 });
  const none = await day({ error: { code: 0 } }, { count: 0, lock: first.dialect });
  expect(none.message).toBeNull();
});

test('what a lock keeps of a word is no text of the answer', async () => {
  const { dialect } = await day({ tenant: 'Kunde Geheim', mode: 'full' }, { count: 57 });
  expect(dialect?.words).toEqual([
    expect.stringMatching(/^tenant=[0-9a-f]{8}$/),
    expect.stringMatching(/^mode=[0-9a-f]{8}$/),
  ]);
});

test('a word that begins like a day or a month is a word', async () => {
  const first = await day({ mode: 'Monitoring' }, { count: 57 });
  expect((await day({ mode: 'Marketing' }, { count: 40, lock: first.dialect })).errorCode).toBe(
    'PAGING_UNPROVEN',
  );
});

test.each([
  ['a number', { unlicensed: 14 }, 'unlicensed'],
  ['a flag', { knapp: false }, 'knapp'],
  ['two numbers', { registered: 57, listed: 43 }, 'listed'],
])(
  '%s that is new beside fewer records is asked about, and nothing is removed for it',
  async (_, now, name) => {
    const first = await day({}, { count: 57 });
    const asked = await day(now, { count: 43, lock: first.dialect });
    expect(asked).toMatchObject({ outcome: 'ok', came: 43, errorCode: 'PAGING_UNPROVEN' });
    expect(asked.message).toContain(`"${name}"`);
    expect((await day(now, { count: 56, lock: first.dialect })).message).toBeNull();
    const settings = { ignore: Object.keys(now) };
    expect((await day(now, { count: 43, lock: first.dialect, settings })).message).toBeNull();
  },
);

test.each([
  ['fewer scopes', 'x-oauth-scopes', 'repo, read:org', 'read:org'],
  ['the state of a cache', 'cf-cache-status', 'DYNAMIC', 'STALE'],
])('%s in a header of a vendor turn as words do', async (_, name, before, now) => {
  const first = await day({}, { count: 57, headers: { [name]: before } });
  expect(first.message).toBeNull();
  const turned = await day({}, { count: 40, lock: first.dialect, headers: { [name]: now } });
  expect(turned).toMatchObject({ outcome: 'ok', came: 40, errorCode: 'PAGING_UNPROVEN' });
  expect(turned.message).toContain(name);
});

test('a number and an id in a header of a vendor turn with each answer', async () => {
  const headersOf = (id: string) => ({ 'x-envoy-upstream-service-time': id, 'x-amz-cf-id': `a${id}f` });
  const first = await day({}, { count: 57, headers: headersOf('12') });
  const next = await day({}, { count: 40, lock: first.dialect, headers: headersOf('17') });
  expect(next.message).toBeNull();
});

test.each([{}, { paging: 'none' }])(
  'records in another place than the day before are asked about where they are fewer, with the settings %j',
  async (settings) => {
    const first = await day({}, { count: 57, settings });
    const bare = { lock: first.dialect, isBare: true };
    const moved = await day({}, { ...bare, count: 42, settings });
    expect(moved).toMatchObject({ outcome: 'ok', came: 42, errorCode: 'PAGING_UNPROVEN' });
    expect(moved.message).toContain('The records are at $, and were at players before, with 42 of 57');
    const asMany = await day({}, { ...bare, count: 57, settings });
    expect(asMany.message).toBeNull();
    const declared = await day({}, { ...bare, count: 42, settings: { ...settings, complete: true } });
    expect(declared.message).toBeNull();
  },
);

test.each([
  ['2026-11-25T03:00:00Z', '2026-11-24T03:00:00Z'],
  ['Wed, 25 Nov 2026 03:00:00 GMT', 'Tue, 24 Nov 2026 03:00:00 GMT'],
])('a time that runs back from %s to %s tells of an old answer', async (before, now) => {
  const first = await day({ asOf: before }, { count: 57 });
  const back = await day({ asOf: now }, { count: 57, lock: first.dialect });
  expect(back).toMatchObject({ outcome: 'ok', came: 57, errorCode: 'PAGING_UNPROVEN' });
  expect(back.message).toContain('asOf');
  expect((await day({ asOf: now }, { count: 57, lock: back.dialect })).errorCode).toBe('PAGING_UNPROVEN');
  expect((await day({ asOf: before }, { count: 57, lock: back.dialect })).message).toBeNull();
  const settings = { ignore: ['asOf'] };
  expect((await day({ asOf: now }, { count: 57, lock: first.dialect, settings })).message).toBeNull();
});

test('a time that goes on, or is gone, tells of nothing', async () => {
  const first = await day({ asOf: '2026-11-24T03:00:00Z', until: '2026-12-01' }, { count: 57 });
  const later = { asOf: '2026-11-25T03:00:00Z', until: '2026-12-02' };
  const next = await day(later, { count: 40, lock: first.dialect });
  expect(next.message).toBeNull();
  expect((await day({}, { count: 40, lock: next.dialect })).message).toBeNull();
});

test('entries that are null in place of records are asked about, until complete is said', async () => {
  const read = async (nulls: number, lock: Lock, more: object = {}) => {
    await using server = await serve((_, response) =>
      json(
        response,
        JSON.stringify({
          players: records(58).map((record, at) => (at % 3 === 1 && at / 3 < nulls ? null : record)),
        }),
      ),
    );
    const players = { items: 'players', columns: {}, drop: [], mask: [], ...more };
    return (
      await fetchFrom(server.url, 'players', {
        source: { resources: { players } },
        ...(lock && { lock }),
      })
    ).end;
  };
  const first = await read(0, null);
  const nulls = await read(16, first.dialect);
  expect(nulls).toMatchObject({ outcome: 'ok', errorCode: 'PAGING_UNPROVEN' });
  expect(nulls.message).toContain('16 of 58 entries are null, and there were 58 records before');
  expect((await read(16, nulls.dialect)).errorCode).toBe('PAGING_UNPROVEN');
  expect((await read(16, first.dialect, { complete: true })).message).toBeNull();
  expect((await read(1, first.dialect)).message).toBeNull();
});

test('an answer that was changed last earlier than the one before is an old one', async () => {
  const at = (day_: number) => ({ 'last-modified': `Fri, ${day_} Nov 2026 03:00:00 GMT` });
  const first = await day({}, { count: 57, headers: at(20) });
  const back = await day({}, { count: 57, lock: first.dialect, headers: at(13) });
  expect(back).toMatchObject({ outcome: 'ok', came: 57, errorCode: 'PAGING_UNPROVEN' });
  expect(back.message).toContain('last-modified');
});
