import { describe, expect, it } from 'vitest';
import { fetchPages, slice as sliceOf } from './support/pages.ts';

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
  it.each([
    ['1', 1],
    ['0', 0],
  ])('that are counted from %s are read whole, with a note that says how', async (_, first) => {
    const { outcome, items, question, notes } = await fetchPlayers((page) =>
      slice(((page ?? first) - first) * 100, 100),
    );
    expect([outcome, items, question]).toEqual(['ok', COUNT, undefined]);
    expect(notes.map(({ code }) => code)).toEqual(['PAGING_FOUND']);
    expect(notes[0]?.says).toContain(
      `page:page=${first} brought more records: 3 pages have ${COUNT} together`,
    );
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
