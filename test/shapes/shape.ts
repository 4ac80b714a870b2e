import fc from 'fast-check';
import { ERROR_MEMBERS, IDLE_HEADERS, IDLE_MEMBERS, type Meaning, STRAYS, WORDS } from './words.ts';

const LISTS = {
  plain: ['data', 'items', 'results', 'records', 'value', 'Players'],
  real: ['rows', 'result', 'players', 'Items', 'Data'],
} as const;
const NESTS = {
  plain: ['meta', 'pagination', 'paging'],
  real: ['response_metadata', 'pageInfo', 'result_info', '_meta', 'paginationInfo', 'resultset'],
} as const;
const OUTER = ['data', 'response', 'result', 'd', 'payload', 'body'];
const PARAMS: Readonly<Record<'token' | 'page' | 'offset', readonly string[]>> = {
  token: ['cursor', 'token', 'after', 'continue', 'position'],
  page: ['page', 'pageNumber', 'p'],
  offset: ['offset', 'skip', 'start'],
};
type Vocabulary = keyof typeof LISTS;
type Style = 'all' | 'link' | 'next' | 'token' | 'page' | 'offset';
const MEANINGS: readonly Meaning[] = ['next', 'token', 'more', 'number', 'size', 'total', 'pages', 'offset'];

/** Different words for each meaning. */
const wordsOf = (vocabulary: Vocabulary) =>
  fc.tuple(...MEANINGS.map((meaning) => fc.constantFrom(...WORDS[vocabulary][meaning]))).map((words) => {
    const taken = new Set<string>();
    return Object.fromEntries(
      words.map((word, index) => {
        let own = word;
        while (taken.has(own.toLowerCase())) own = `${own}x`;
        taken.add(own.toLowerCase());
        return [MEANINGS[index], own];
      }),
    ) as Record<Meaning, string>;
  });

const saysOf = (style: Style): fc.Arbitrary<readonly Meaning[]> => {
  if (style === 'page') return fc.subarray<Meaning>(['number', 'size', 'total', 'pages', 'more']);
  if (style === 'offset') return fc.subarray<Meaning>(['offset', 'size', 'total', 'more']);
  if (style === 'all') return fc.constantFrom<readonly Meaning[]>([], [], [], ['total']);
  return fc.subarray<Meaning>(['total', 'size', 'more']);
};

/** Wrapped: each record below a word of its own; level: the list below the one entry of another; rows: values next to the names of their columns. */
export const DEPTHS = {
  ...{ bare: 0, map: 0, member: 1, 'map-in-member': 1, wrapped: 1, level: 1, rows: 1, nested: 2, deep: 3 },
};
type Wrapping = keyof typeof DEPTHS;

const pathOf = (vocabulary: Vocabulary, wrapping: Wrapping): fc.Arbitrary<readonly string[]> => {
  const list = fc.constantFrom(...LISTS[vocabulary]);
  const outer = fc.constantFrom(...OUTER);
  const depth = DEPTHS[wrapping];
  if (depth === 0) return fc.constant([]);
  return fc
    .tuple(fc.uniqueArray(outer, { minLength: depth - 1, maxLength: depth - 1 }), list)
    .map(([above, name]) => [...above, name]);
};

export const freeShape = fc
  .record({
    wrapping: fc.constantFrom<Wrapping>(
      ...(['bare', 'member', 'member', 'member', 'nested', 'deep'] as const),
      ...(['map', 'map-in-member', 'wrapped', 'level', 'rows'] as const),
    ),
    style: fc.constantFrom<Style>('all', 'link', 'next', 'token', 'page', 'offset'),
    vocabulary: fc.constantFrom<Vocabulary>('plain', 'real'),
  })
  .chain(({ wrapping, style, vocabulary: wished }) => {
    // Bare lists and maps have no room next to the records. Nobody has a body's words in headers.
    const hasRoom = DEPTHS[wrapping] > 0;
    const vocabulary = hasRoom || style === 'link' ? wished : 'plain';
    const places = [
      ...(vocabulary === 'plain' || style === 'link' ? (['header'] as const) : []),
      ...(hasRoom ? (['beside', 'beside', 'below', 'deep-below', 'root'] as const) : []),
    ];
    const nest = fc.constantFrom(...NESTS[vocabulary]);
    return fc
      .record({
        wrapping: fc.constant(wrapping),
        // Names of the members on the way to the records.
        path: pathOf(vocabulary, wrapping),
        style: fc.constant(style),
        // The place of what is said of paging: a header, next to the list, below objects next to it, or the root.
        where: fc.constantFrom(...places),
        below: fc.uniqueArray(nest, { minLength: 2, maxLength: 2, selector: (name) => name.toLowerCase() }),
        vocabulary: fc.constant(vocabulary),
        words: wordsOf(vocabulary),
        // What pages say of themselves.
        says: saysOf(style),
        // `minus`: the token behind the last page is -1.
        end: fc.constantFrom('null', 'absent', 'blank', 'more-false', 'stale', 'minus'),
        param: paramOf(style),
        isUsual: fc.constantFrom(true, true, true, false),
        firstPage: fc.constantFrom(1, 1, 0),
        pageSize: fc.constantFrom(3, 4, 10),
        // A total that counts the page alone, as that of a public signage server.
        ownTotal: fc.constantFrom(false, false, false, true),
        // What is answered behind the last page.
        beyond: fc.constantFrom('empty', 'empty', 'refused'),
        // An unknown parameter: no record passes it (json-server, PostgREST), or the call is refused.
        unknown: fc.constantFrom('ignored', 'ignored', 'ignored', 'filter', 'refused'),
        numbers: fc.constantFrom('number', 'number', 'text', 'thousands'),
        flags: fc.constantFrom('boolean', 'boolean', 'word', 'number', 'letter'),
        link: fc.constantFrom('absolute', 'relative', 'query', 'object'),
        // Under a name, as text, as `1.0` and `1e3`, below a level, and in a link alone.
        id: fc.oneof(
          { weight: 3, arbitrary: fc.constantFrom('Id', 'id', 'PlayerId', 'guid', 'text') },
          { weight: 1, arbitrary: fc.constantFrom('point', 'exponent', 'below', 'oid', 'link') },
        ),
        // How a parent's listing says that it has no record, and where one child is the bare record.
        empty: fc.oneof(
          { weight: 2, arbitrary: fc.constant('list') },
          { weight: 1, arbitrary: fc.constantFrom('object', 'text', 'null', 'false', 'absent', 'count') },
        ),
        isOneBare: fc.constantFrom(false, false, false, true),
        idle: fc.subarray([...IDLE_MEMBERS.keys()], { maxLength: 4 }),
        idleHeaders: fc.subarray([...IDLE_HEADERS.keys()], { maxLength: 3 }),
        // Records on each of two days; on the second, the first answer says that it failed, with so many of them.
        counts: fc.tuple(countIn(), countIn()),
        error: seldom(
          fc.record({
            kind: fc.nat(ERROR_MEMBERS.length - 1),
            keeps: fc.constantFrom('none', 'some', 'all'),
          }),
        ),
        // On one day an entry of the players, or of the first one's screens, is an error in place of a record.
        stray: seldom(
          fc.record({
            kind: fc.nat(STRAYS.length - 1),
            day: fc.constantFrom<0 | 1>(0, 1),
            at: fc.nat(99),
            list: fc.constantFrom('players', 'screens'),
          }),
        ),
        // A member that only the second day has.
        late: seldom(fc.nat(IDLE_MEMBERS.length - 1)),
        // Of numbered pages: the Link header names the last one, and none else tells how many there are.
        linksLast: fc.constantFrom(false, false, false, true),
      })
      .map(({ isUsual, ...shape }) => (isUsual ? { ...shape, param: usualParam(shape) } : shape));
  });

/** How one API answers its listings, in a way that a framework, vendor or proxy in use does. */
export type Shape = Readonly<typeof freeShape extends fc.Arbitrary<infer Drawn> ? Drawn : never>;

/** The parameter that the documentation of APIs with that member names, where it is not the member's own name. */
const USUAL: Readonly<Record<string, string>> = {
  nextCursor: 'cursor',
  next_cursor: 'cursor',
  nextPageToken: 'pageToken',
  NextMarker: 'marker',
  LastEvaluatedKey: 'ExclusiveStartKey',
  endCursor: 'after',
  after_cursor: 'after',
  currentPage: 'page',
  current_page: 'page',
  Page: 'page',
  thisPage: 'page',
  curPage: 'page',
  Offset: 'offset',
};

function usualParam({
  style,
  words,
  says,
  param,
}: {
  style: Style;
  words: Record<Meaning, string>;
  says: readonly Meaning[];
  param: string;
}): string {
  const meaning = style === 'token' ? 'token' : style === 'page' ? 'number' : 'offset';
  if (style !== 'token' && style !== 'page' && style !== 'offset') return param;
  if (meaning !== 'token' && !says.includes(meaning)) return style;
  return USUAL[words[meaning]] ?? words[meaning];
}

function paramOf(style: Style): fc.Arbitrary<string> {
  if (style !== 'token' && style !== 'page' && style !== 'offset') return fc.constant('page');
  return fc.constantFrom(...PARAMS[style]);
}

/** One time in six. */
function seldom<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });
}

function countIn(): fc.Arbitrary<number> {
  return fc.oneof(fc.constantFrom(0, 1, 2, 3, 4, 9, 10, 11, 12, 20, 21), fc.integer({ min: 0, max: 33 }));
}
