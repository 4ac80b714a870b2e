import { describe, expect, it } from 'vitest';
import { createSiblings } from '#lib/api/contract/siblings.ts';
import { NO_PAGING } from '#lib/config/paging-style.ts';
import { type Answer, fetchPages, number, slice as sliceOf } from './support/pages.ts';

const COUNT = 230;
const slice = (from: number, size: number) => sliceOf(from, size, COUNT);

/** The players of a server whose answers are bare lists; `page` is null where the call has none. */
async function fetchPlayers(answer: (page: number | null) => readonly unknown[] | number) {
  const { end, urls } = await fetchPages(({ query, response }) => {
    const page = query.get('page');
    const body = answer(page === null ? null : Number(page));
    if (typeof body === 'number') response.writeHead(body, { 'content-type': 'application/json' }).end('{}');
    return body;
  });
  return { ...end, calls: urls.length };
}

describe('pages of which no answer says a word', () => {
  it.each([1, 0])('that are counted from %i are read whole, with a note that says how', async (first) => {
    const { outcome, items, question, notes } = await fetchPlayers((page) =>
      slice(((page ?? first) - first) * 100, 100),
    );
    expect([outcome, items, question]).toEqual(['ok', COUNT, undefined]);
    expect(notes.map(({ code }) => code)).toEqual(['PAGING_FOUND']);
    const found = `page:page=${first} brought more records: 3 pages have ${COUNT} together`;
    expect(notes[0]?.says).toContain(found);
  });

  it('whose first one is not the plain answer are asked about, and the plain answer is published', async () => {
    const { outcome, items, question } = await fetchPlayers((page) =>
      page === null ? slice(0, 57) : slice((page - 1) * 70, 70),
    );
    expect([outcome, items, question?.code]).toEqual(['ok', 57, 'CAP_SUSPECTED']);
    const choices = question?.cures.map(({ setting, choices: [first] }) => [setting, first]);
    expect(choices).toContainEqual(['resources.players.paging', 'page:page']);
  });

  it('that are refused behind full ones are asked about, and what came is published', async () => {
    const { outcome, items, question } = await fetchPlayers((page) =>
      (page ?? 1) > 2 ? 422 : slice(((page ?? 1) - 1) * 100, 100),
    );
    expect([outcome, items, question?.code]).toEqual(['ok', 200, 'PAGING_UNPROVEN']);
  });

  it('and are none cost three calls, without a note', async () => {
    const { outcome, items, notes, calls } = await fetchPlayers(() => slice(0, 100));
    expect([outcome, items, notes, calls]).toEqual(['ok', 100, [], 4]);
  });
});

describe('a listing of 104 with fewer records today', () => {
  /** The listing on a second day, with what the first one has shown. */
  async function onSecondDay(answer: Answer) {
    const first = await fetchPages(() => sliceOf(0, 104, 104));
    const { end, urls } = await fetchPages(answer, {}, first.end.contract);
    return { ...end, calls: urls.length };
  }

  it.each([100, 98])('is read whole where the server cuts it at %i since', async (size) => {
    const { outcome, items, question, notes } = await onSecondDay(({ query }) =>
      sliceOf((number(query, 'page', 1) - 1) * size, size, 104),
    );
    expect([outcome, items, question, notes]).toEqual(['ok', 104, undefined, []]);
  });

  it.each([100, 98])('has lost them where three calls find no more than %i', async (count) => {
    const fewer = await onSecondDay(() => sliceOf(0, count, count));
    expect(fewer).toMatchObject({ outcome: 'ok', items: count, errorCode: null, notes: [], calls: 4 });
  });
});

const SIZE = 20;

/** Later pages that a server refuses: it may have no such page, or not give it. */
async function readRefused(count: number, status: number, settings: object = {}) {
  const answer: Answer = ({ query, response }) => {
    const page = number(query, 'page', 1);
    if (page > 2) response.writeHead(status).end('{"message":"Only the first results are available"}');
    return { items: sliceOf((page - 1) * SIZE, SIZE, count), page };
  };
  return (await fetchPages(answer, { ...settings })).end;
}

it.each([200, 400, 416, 422])(
  'behind full pages alone, %i may mean that more is not given',
  async (status) => {
    const { question } = await readRefused(2 * SIZE, status);
    expect(question).toMatchObject({
      code: 'PAGING_UNPROVEN',
      says: `The server refuses page 3 after 2 full pages (HTTP ${status})`,
      cures: [{ setting: 'resources.players.complete', choices: [true] }, {}],
    });
    const right = { outcome: 'ok', items: 2 * SIZE, message: null };
    expect(await readRefused(2 * SIZE, status, { complete: true })).toMatchObject(right);
  },
);

it.each([
  [2 * SIZE - 3, 422],
  [2 * SIZE - 3, 404],
  [2 * SIZE, 410],
])('of %i records in pages of 20, %i is the end', async (count, status) => {
  expect(await readRefused(count, status)).toMatchObject({ outcome: 'ok', items: count, message: null });
});

it('a first page that came before its siblings showed pages is looked behind, however many were in vain', () => {
  const siblings = createSiblings();
  const looks = Array.from({ length: 12 }, () => siblings.mayLook(3));
  expect(looks).toEqual([...Array(10).fill(true), false, false]);
  siblings.note({ ...NO_PAGING, name: 'page', param: 'pageNo', start: 1 }, true);
  expect(siblings.mayLook(3)).toBe(true);
});
