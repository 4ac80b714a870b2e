import { describe, expect, test } from 'vitest';
import { parsePaging, renderPaging } from '#lib/config/paging-style.ts';
import { type Answer, fetchPages, number, records, slice } from './support/pages.ts';

describe('the setting wins and is validated', () => {
  const silent: Answer = ({ query }) => slice(number(query, 'page', 1) * 10 - 10, 10, 25);

  test('page by page though nothing says so', async () => {
    const { end, urls } = await fetchPages(silent, { paging: 'page' });
    expect(end).toMatchObject({ outcome: 'ok', items: 25, contract: { paging: 'page:page' } });
    // The second page shows that the parameter is read, the first by its number that pages are counted from 1.
    expect(urls).toEqual(['', '?page=2', '?page=1', '?page=3', '?page=4']);
  });

  test('with a size', async () => {
    const sized: Answer = ({ query }) => slice(number(query, 'skip', 0), number(query, 'take', 10), 25);
    const { end, urls } = await fetchPages(sized, { paging: 'offset:skip,take=20' });
    expect(end).toMatchObject({ outcome: 'ok', items: 25 });
    expect(urls).toEqual(['?skip=0&take=20', '?skip=20&take=20', '?skip=25&take=20']);
  });

  test('a parameter that is ignored fails', async () => {
    const { end } = await fetchPages(() => records(0, 10), { paging: 'page:seite' });
    const message = expect.stringContaining('ignores the parameter seite');
    expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN', message });
  });

  test('none means that one page is all, whatever is declared', async () => {
    const part = { items: records(0, 10), total: 25, next: '?page=2' };
    const { end, urls } = await fetchPages(() => part, { paging: 'none' });
    expect(end).toMatchObject({ outcome: 'ok', items: 10, contract: { paging: 'none' } });
    expect(urls).toHaveLength(1);
  });

  test('styles are written and read in one way', () => {
    const styles = ['none', 'link', 'next', 'cursor:after', 'page:page', 'offset:skip'];
    const parsed = styles.map((text) => parsePaging(text) ?? expect.fail());
    expect(parsed.map(renderPaging)).toEqual(styles);
    expect(parsePaging('marker')).toBeNull();
    const size = { param: 'size', value: 500 };
    expect(parsePaging('page:p=0,size=500')).toMatchObject({ param: 'p', start: 0, size });
    for (const text of ['', 'pages', 'page:', 'page=1', 'offset:a,b', 'page:a,b=c'])
      expect(parsePaging(text)).toBeNull();
  });
});

/** HTTP 206 with the numbers of the records: the next ones are requested with `range=20-39`. */
const ranged =
  (count: number): Answer =>
  ({ query, response }) => {
    const [from = 0, to = 0] = (query.get('range') ?? '0-19').split('-').map(Number);
    const items = slice(from, Math.min(to - from + 1, 20), count);
    response.statusCode = items.length === count ? 200 : 206;
    response.setHeader('content-range', `items ${from}-${from + items.length - 1}/${count}`);
    return items;
  };

test.each([
  ['in ranges of 20', 34, {}, ['', '?range=20-39']],
  ['in ranges that the setting names', 41, { paging: 'range' }, ['', '?range=20-39', '?range=40-59']],
  ['in one answer, which needs no range', 7, {}, ['']],
])('records %s are whole', async (_, count, settings, asked) => {
  const { end, urls } = await fetchPages(ranged(count), settings);
  expect(end).toMatchObject({ outcome: 'ok', items: count, message: null });
  expect(urls).toEqual(asked);
});

/** HTTP 206 of a server that reads `offset`. PostgREST takes any other name for the filter of a column. */
const byOffset =
  (isFilter: boolean): Answer =>
  ({ query, response }) => {
    const start = number(query, 'offset', 0);
    const isRefused = isFilter && [...query.keys()].some((name) => name !== 'offset');
    response.statusCode = isRefused ? 400 : 206;
    if (isRefused) return { code: 'PGRST100' };
    response.setHeader('content-range', `${start}-${Math.min(start + 20, 34) - 1}/34`);
    return slice(start, 20, 34);
  };

test.each([['refuses', true] as const, ['ignores', false] as const])(
  'a server that %s `range` is read by `offset`',
  async (_, isFilter) => {
    const { end } = await fetchPages(byOffset(isFilter));
    expect(end).toMatchObject({ outcome: 'ok', items: 34, message: null });
  },
);
