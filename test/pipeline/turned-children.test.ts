import { describe, expect, test } from 'vitest';
import { fixtureLab, type Routes, SIGNAGE } from '../support/fixture-lab.ts';

/* What an empty answer to one parent says otherwise than all answers of earlier runs. */

type Says = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;
type Answer = { readonly count: number; readonly says: Says; readonly headers?: Headers };

const DAYS = ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z', '2026-11-22T03:00:00Z'] as const;
const PLAYERS = 12;

/** Players of which some are odd: these answer otherwise. */
function world(answerOf: (player: number) => Answer): Routes {
  const ids = Array.from({ length: PLAYERS }, (_, index) => index + 1);
  const screens = (player: number) => {
    const { count, says, headers } = answerOf(player);
    const items = Array.from({ length: count }, (_, index) => ({ Id: player * 10 + index, On: true }));
    return { body: JSON.stringify({ ...says, items }), ...(headers && { headers }) };
  };
  return {
    [`${SIGNAGE}/Players`]: { body: JSON.stringify(ids.map((Id) => ({ Id, Name: `P${Id}` }))) },
    ...Object.fromEntries(ids.map((id) => [`${SIGNAGE}/Players/${id}/Screens`, screens(id)])),
  };
}

const countOf = (player: number): number => (player % 4) + 1;
const full =
  (says: (count: number) => Says, headers?: Headers) =>
  (player: number): Answer => ({
    count: countOf(player),
    says: says(countOf(player)),
    ...(headers && { headers }),
  });
const oddFrom = (from: number, usual: (player: number) => Answer, odd: Answer) => (player: number) =>
  player >= from ? odd : usual(player);
const settingsOf = (screens: object) => ({
  config: { minCoverage: 0.5 },
  signage: { resources: { screens } },
});
const ALL = Array.from({ length: PLAYERS }, (_, index) => countOf(index + 1)).reduce((sum, one) => sum + one);

describe.each<readonly [string, string, (count: number) => Says, Says, object]>([
  ['a word', 'source', () => ({ source: 'live' }), { source: 'cache' }, {}],
  ['a word for nothing', 'source', () => ({ source: 'live' }), { source: 'none' }, {}],
  [
    'a word of an object',
    'meta.source',
    () => ({ meta: { source: 'live' } }),
    { meta: { source: 'x' } },
    { ignore: ['meta'] },
  ],
  ['a time that is null', 'polledAt', () => ({ polledAt: '2026-11-20T02:59:00Z' }), { polledAt: null }, {}],
  ['a total below 0', 'total', (total) => ({ total }), { total: -1 }, {}],
  [
    'a flag that the config ignores',
    'erreichbar',
    () => ({ erreichbar: true }),
    { erreichbar: false },
    { ignore: ['erreichbar'] },
  ],
])('children beside which stands %s', (_, name, usual, odd, settings) => {
  test('are not believed to be none where it is another one, until the setting says so', async () => {
    await using lab = await fixtureLab(world(full(usual)), settingsOf(settings));
    expect((await lab.run(DAYS[0])).sources[0]).toMatchObject({ status: 'complete', asks: [] });
    const cut = world(oddFrom(10, full(usual), { count: 0, says: odd }));
    const second = await lab.run(DAYS[1], cut);
    expect(second.sources[0]).toMatchObject({ status: 'partial', error: { code: 'PAGING_UNPROVEN' } });
    expect(second.sources[0]?.error?.message).toContain(name);
    expect(second.tables['screens']).toMatchObject({ rows: ALL, removed: 0 });
    const [cure] = second.sources[0]?.asks[0]?.cures ?? [];
    const setting = cure?.setting.split('.').at(-1) ?? '';
    expect(setting).toBe('ignore' in settings ? 'complete' : 'ignore');
    const third = await lab.run(DAYS[2], cut, settingsOf({ ...settings, [setting]: cure?.choices[0] }));
    expect(third.sources[0]).toMatchObject({ status: 'complete', asks: [] });
    expect(third.tables['screens']?.rows).toBeLessThan(ALL);
  });
});

test('a header of empty children that is another one is not believed', async () => {
  const usual = full(() => ({}), { 'x-source': 'player' });
  await using lab = await fixtureLab(world(usual), settingsOf({}));
  expect((await lab.run(DAYS[0])).sources[0]?.status).toBe('complete');
  const cut = world(oddFrom(9, usual, { count: 0, says: {}, headers: { 'x-source': 'fallback' } }));
  const second = await lab.run(DAYS[1], cut);
  expect(second.sources[0]).toMatchObject({ status: 'partial', error: { code: 'PAGING_UNPROVEN' } });
  expect(second.sources[0]?.error?.message).toContain('x-source');
});

describe.each<readonly [string, (player: number) => Says, Says]>([
  ['has had two values', (player) => ({ source: player % 5 === 0 ? 'cache' : 'live' }), { source: 'none' }],
  ['is the number of the records', (player) => ({ anzahl: countOf(player) }), { anzahl: 0 }],
  ['is a total', (player) => ({ total: countOf(player) }), { total: 0 }],
  ['says whether there are any', () => ({ empty: false }), { empty: true }],
  ['is a sentence', () => ({ message: 'all screens listed' }), { message: 'there are no screens' }],
  ['is of the next page', () => ({ next: null, page: 1, pages: 1 }), { next: null, page: 1, pages: 0 }],
  ['is of two players alone', (player) => (player < 3 ? { source: 'live' } : {}), { source: 'cache' }],
])('what stands beside children and %s', (_, says, odd) => {
  test('asks nothing of empty ones', async () => {
    const usual = (player: number): Answer => ({ count: countOf(player), says: says(player) });
    await using lab = await fixtureLab(world(usual), settingsOf({ ignore: ['anzahl', 'message'] }));
    expect((await lab.run(DAYS[0])).sources[0]).toMatchObject({ status: 'complete', asks: [] });
    const second = await lab.run(DAYS[1], world(oddFrom(10, usual, { count: 0, says: odd })));
    expect(second.sources[0]).toMatchObject({ status: 'complete', asks: [] });
  });
});

test('what the empty children of the first day say too is known', async () => {
  const usual = oddFrom(
    11,
    full(() => ({ source: 'live' })),
    { count: 0, says: { source: 'none' } },
  );
  await using lab = await fixtureLab(world(usual), settingsOf({}));
  expect((await lab.run(DAYS[0])).sources[0]?.status).toBe('complete');
  const second = await lab.run(DAYS[1], world(oddFrom(9, usual, { count: 0, says: { source: 'none' } })));
  expect(second.sources[0]).toMatchObject({ status: 'complete', asks: [] });
});

test('children with records may say otherwise, and from then on it is known to change', async () => {
  const usual = full(() => ({ source: 'live' }));
  await using lab = await fixtureLab(world(usual), settingsOf({}));
  await lab.run(DAYS[0]);
  const other = world(oddFrom(9, usual, { count: 2, says: { source: 'cache' } }));
  expect((await lab.run(DAYS[1], other)).sources[0]?.status).toBe('complete');
  const empty = world(oddFrom(11, usual, { count: 0, says: { source: 'cache' } }));
  expect((await lab.run(DAYS[2], empty)).sources[0]?.status).toBe('complete');
});

/* How an empty answer is built. */

type Reply = { readonly status?: number; readonly body: string };

const reply = (value: unknown): Reply => ({ body: JSON.stringify(value) });
const ITEMS_NONE = reply({ items: [] });
/** The players from a number on answer so. */
const built =
  (from: number, odd: Reply) =>
  (player: number): Reply | undefined =>
    player >= from ? odd : undefined;
function replies(...odd: readonly ((player: number) => Reply | undefined)[]): Routes {
  const usual = world(full(() => ({})));
  const ids = Array.from({ length: PLAYERS }, (_, index) => index + 1);
  const own = ids.flatMap((id) => {
    const answer = odd.map((each) => each(id)).find((each) => each !== undefined);
    return answer === undefined ? [] : [[`${SIGNAGE}/Players/${id}/Screens`, answer] as const];
  });
  return { ...usual, ...Object.fromEntries(own) };
}

const NO_FORM: readonly (readonly [string, Reply])[] = [
  ['{}', reply({})],
  ['null', reply(null)],
  ['[]', reply([])],
  ['""', reply('')],
  ['false', reply(false)],
  ['no body', { status: 204, body: '' }],
  ['null for the list', reply({ items: null })],
  ['an object for the list', reply({ items: {} })],
  ['no list', reply({ took: 3 })],
  ['another list', reply({ data: [] })],
];

const ofEmpty = NO_FORM.map(([name, odd]) => [name, 'empty lists', odd, built(10, ITEMS_NONE), 10] as const);
const ofFull = NO_FORM.slice(0, 2).map(
  ([name, odd]) => [name, 'full lists', odd, () => undefined, 13] as const,
);

test.each([...ofEmpty, ...ofFull])(
  'children are not believed to be none by %s, where all had %s before, until complete says so',
  async (_name, _before, odd, first, emptyFrom) => {
    const own = { items: 'items' };
    await using lab = await fixtureLab(replies(first), settingsOf(own));
    await lab.run(DAYS[0]);
    const rows = Array.from({ length: emptyFrom - 1 }, (_, index) => countOf(index + 1)).reduce(
      (a, b) => a + b,
    );
    const cut = replies((player) => (player === 2 || player === 5 ? odd : undefined), first);
    const second = await lab.run(DAYS[1], cut);
    expect(second.sources[0]).toMatchObject({ status: 'partial' });
    expect(second.tables['screens']).toMatchObject({ rows, removed: 0 });
    expect(second.sources[0]?.asks.map(({ code }) => code)).toEqual(['PAGING_UNPROVEN']);
    const [cure] = second.sources[0]?.asks[0]?.cures ?? [];
    expect(cure).toMatchObject({ setting: 'resources.screens.complete', choices: [true] });
    const third = await lab.run(DAYS[2], cut, settingsOf({ ...own, complete: true }));
    expect(third.sources[0]).toMatchObject({ status: 'complete', asks: [] });
    expect(third.tables['screens']).toMatchObject({ rows: rows - countOf(2) - countOf(5) });
  },
);

test('a form that complete has answered is known from then on', async () => {
  const first = built(10, ITEMS_NONE);
  const some = (odd: number) => replies((player) => (player === odd ? reply(null) : undefined), first);
  await using lab = await fixtureLab(replies(first), settingsOf({}));
  await lab.run(DAYS[0]);
  await lab.run(DAYS[1], some(2), settingsOf({ complete: true }));
  expect((await lab.run(DAYS[2], some(3))).sources[0]).toMatchObject({ status: 'complete', asks: [] });
});

test('the first empty list in the place of the full ones asks nothing', async () => {
  await using lab = await fixtureLab(replies(), settingsOf({}));
  await lab.run(DAYS[0]);
  const second = await lab.run(DAYS[1], replies(built(11, ITEMS_NONE)));
  expect(second.sources[0]).toMatchObject({ status: 'complete', asks: [] });
});

test('all forms that empty answers had before are known', async () => {
  const forms = [reply({}), reply(null), { status: 204, body: '' }, ITEMS_NONE];
  const some = (shift: number) =>
    replies((player) => (player > 8 ? forms[(player + shift) % forms.length] : undefined));
  await using lab = await fixtureLab(some(0), settingsOf({}));
  expect((await lab.run(DAYS[0])).sources[0]).toMatchObject({ status: 'complete', asks: [] });
  expect((await lab.run(DAYS[1], some(1))).sources[0]).toMatchObject({ status: 'complete', asks: [] });
  const other = await lab.run(
    DAYS[2],
    replies((player) => (player === 9 ? reply([]) : undefined)),
  );
  expect(other.sources[0]).toMatchObject({ status: 'partial', error: { code: 'PAGING_UNPROVEN' } });
});
