import { describe, expect, test } from 'vitest';
import { parsePaging } from '#lib/config/paging-style.ts';
import { ALL, after, COUNT, from, records, SIZE } from './support/named-records.ts';
import { type Answer, fetchPages, record } from './support/pages.ts';

type Settings = Readonly<Record<string, unknown>>;

const at = (query: URLSearchParams, name: string) => Number(query.get(name) ?? 0);

const filtered =
  (param: string, says: (start: number) => object): Answer =>
  ({ query }) => {
    const isFiltered = [...query.keys()].some((name) => name !== param);
    const start = at(query, param);
    return isFiltered ? { items: [] } : { items: from(start), ...says(start) };
  };

interface AskedAbout {
  readonly answer: Answer;
  /** What the message has to name. */
  readonly names?: string;
  /** With what all is whole. */
  readonly settings: Settings;
  readonly code?: string;
}

describe('whole by what proves itself, or asked about with a setting that leads to the whole', () => {
  const offset = { paging: 'offset:skip' };
  const skip: Answer = ({ query }) => ({ items: from(at(query, 'skip')) });
  /** The first page with what next to it says that there is more; the rest by a parameter that nobody names. */
  const besides =
    (beside: object): Answer =>
    (asked) => ({ ...Object(skip(asked)), ...beside });
  const full = (length: number): AskedAbout => ({
    answer: ({ query }) => records(at(query, 'skip'), at(query, 'skip') + length),
    ...{ code: 'CAP_SUSPECTED', names: `exactly ${length} records`, settings: offset },
  });
  const ASKED: Readonly<Record<string, AskedAbout>> = {
    'a yes under a word that nobody knows': {
      answer: () => ({ items: ALL, flinuv: true }),
      names: '"flinuv" (true)',
      settings: { ignore: ['flinuv'] },
    },
    'a number under a word that nobody knows': {
      ...{ answer: besides({ tibwen: COUNT }), names: `"tibwen" (${COUNT})`, settings: offset },
    },
    'an address under a word that nobody knows': {
      answer: ({ query }) => ({
        items: from(at(query, 'skip')),
        ...(after(at(query, 'skip')) && { jorlim: `?skip=${at(query, 'skip') + SIZE}` }),
      }),
      names: '"jorlim"',
      settings: { paging: 'next@jorlim' },
    },
    'a total of the page alone, beside no size': {
      answer: ({ query }) => ({ items: from(at(query, 'skip')), total: from(at(query, 'skip')).length }),
      code: 'CAP_SUSPECTED',
      settings: offset,
    },
    'a cursor, where unknown parameters are filters': {
      answer: filtered('skip', (start) => ({ nextToken: start + SIZE < COUNT ? `${start + SIZE}` : null })),
      names: 'nextToken',
      settings: { paging: 'cursor:skip@nextToken' },
    },
    '10 records and no word of more': full(10),
  };

  test.each(Object.entries(ASKED))('%s', async (_, { answer, names = '', settings, code }) => {
    const { end, records: came } = await fetchPages(answer);
    if (end.question === undefined) expect(came).toEqual(ALL);
    else {
      expect(end.errorCode).toBe(code ?? 'PAGING_UNPROVEN');
      expect(end.message).toContain(names);
      expect(end.message).toMatch(/resources\.players\.paging/i);
    }
    const after = await fetchPages(answer, settings);
    expect(after.end).toMatchObject({ outcome: 'ok', message: null });
    expect(after.records).toEqual(ALL);
    // What it offers can be written.
    const ofPaging = (end.question?.cures ?? []).filter(({ setting }) => setting.endsWith('.paging'));
    const offered = ofPaging.flatMap(({ choices }) => choices);
    expect(offered.filter((choice) => parsePaging(String(choice)) === null)).toEqual([]);
  });

  test('a page that says its number, and no total, is all, with a note', async () => {
    const { end } = await fetchPages(() => ({ items: records(0, 4), currentPage: 1 }));
    expect(end).toMatchObject({ outcome: 'ok', message: null, notes: [{ code: 'CAP_SUSPECTED' }] });
    expect(end.notes[0]?.says).toContain('the number of its page, and neither a total nor a next page');
  });

  test.each([10, 15, 20, 25, 50, 5000])('%i records without a word of more are all', async (length) => {
    const many = () => Array.from({ length }, (_, id) => record(id));
    const { end } = await fetchPages(many);
    expect(end).toMatchObject({ outcome: 'ok', errorCode: null, message: null, notes: [] });
    const { end: enveloped } = await fetchPages(() => ({ items: many() }));
    expect(enveloped).toMatchObject({ outcome: 'ok', message: null, notes: [{ code: 'CAP_SUSPECTED' }] });
    expect((await fetchPages(() => ({ items: many() }), { complete: true })).end.notes).toEqual([]);
  });
});
