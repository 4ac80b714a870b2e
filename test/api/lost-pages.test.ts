import { describe, expect, test } from 'vitest';
import { type Answer, type Asked, fetchPages, slice } from './support/pages.ts';

/* A listing had pages; today one full page came, and it leads to no other. */

const SIZE = 20;

/** Pages by a link, the member `next` or a token, of which only one that another follows speaks. */
const WAYS = {
  link: (at, { response }) => {
    response.setHeader('link', `<?cursor=k${at}>; rel="next"`);
  },
  next: (at) => ({ next: `?cursor=k${at}` }),
  token: (at) => ({ nextCursor: `k${at}` }),
} satisfies Record<string, (at: number, asked: Asked) => unknown>;

interface Today {
  readonly count: number;
  /** True: the answer leads nowhere, whatever follows. */
  readonly isMute?: boolean;
  /** How later pages are answered; else by what they have. */
  readonly behind?: Answer;
  readonly says?: object;
}

const server =
  (way: keyof typeof WAYS, { count, isMute = false, behind, says }: Today): Answer =>
  (asked) => {
    const at = Number((asked.query.get('cursor') ?? 'k0').slice(1));
    if (at > 0 && behind !== undefined) return behind(asked);
    const beside = !isMute && at + SIZE < count ? WAYS[way](at + SIZE, asked) : {};
    return { items: slice(at, SIZE, count), ...Object(beside), ...says };
  };

async function days(way: keyof typeof WAYS, before: number, today: Today) {
  const first = await fetchPages(server(way, { count: before, ...(today.says && { says: today.says }) }));
  expect(first.end).toMatchObject({ outcome: 'ok', items: before, message: null });
  const { end } = await fetchPages(server(way, today), {}, first.end.contract);
  // It is as doubtful tomorrow.
  if (!end.isSure) expect(end.contract).toEqual(first.end.contract);
  return end;
}

const DOUBT = { outcome: 'ok', errorCode: 'SHAPE_CHANGED', isSure: false };
const refused =
  (status: number): Answer =>
  ({ response }) => {
    response.writeHead(status).end('{}');
  };
const same = () => ({ items: slice(0, SIZE, SIZE) });

describe.each(['link', 'next', 'token'] as const)('one full page, where pages were found by %s', (way) => {
  test('is all if the second page has nothing now', async () => {
    expect(await days(way, 21, { count: SIZE })).toMatchObject({ outcome: 'ok', message: null });
    expect(await days(way, 57, { count: SIZE })).toMatchObject({ outcome: 'ok', message: null });
  });

  test('is a contradiction if the second page still has records', async () => {
    const end = await days(way, 57, { count: 57, isMute: true });
    expect(end).toMatchObject({ outcome: 'failed', errorCode: 'SHAPE_CHANGED' });
    expect(end.message).toMatch(/ \/.*cursor=k20 returns others/);
  });

  test('is in doubt if the server has lost its pages', async () => {
    for (const behind of [same, refused(404)])
      expect(await days(way, 57, { count: 57, isMute: true, behind })).toMatchObject(DOUBT);
  });

  test('is all if one record less explains it, and the server has no second page', async () => {
    for (const behind of [same, refused(404)])
      expect(await days(way, 21, { count: SIZE, behind })).toMatchObject({ outcome: 'ok', message: null });
  });

  test('is all if the answer says so', async () => {
    expect(await days(way, 21, { count: SIZE, behind: refused(400) })).toMatchObject(DOUBT);
    const paging = way === 'token' ? 'cursor:cursor' : way;
    const contract = { envelope: 'items', paging, pageSize: SIZE, wholeItems: 57 };
    const done = await fetchPages(() => ({ ...same(), done: true }), {}, contract);
    expect(done.end).toMatchObject({ outcome: 'ok', message: null });
  });
});
