import fc from 'fast-check';
import type { Empty, EndRule, IdForm, Shape, Style, Vocabulary, Where, Wrapping } from './shape.ts';
import { ERROR_MEMBERS, IDLE_HEADERS, IDLE_MEMBERS, type Meaning, WORDS } from './words.ts';

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
const MEANINGS: readonly Meaning[] = ['next', 'token', 'more', 'number', 'size', 'total', 'pages', 'offset'];

const wordOf = (vocabulary: Vocabulary, meaning: Meaning): fc.Arbitrary<string> =>
  fc.constantFrom(...WORDS[vocabulary][meaning]);

/** Different words for each meaning. */
const wordsOf = (vocabulary: Vocabulary) =>
  fc.tuple(...MEANINGS.map((meaning) => wordOf(vocabulary, meaning))).map((words) => {
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

const DEPTHS: Readonly<Record<Wrapping, number>> = {
  bare: 0,
  map: 0,
  member: 1,
  'map-in-member': 1,
  wrapped: 1,
  level: 1,
  rows: 1,
  nested: 2,
  deep: 3,
};

const pathOf = (vocabulary: Vocabulary, wrapping: Wrapping): fc.Arbitrary<readonly string[]> => {
  const list = fc.constantFrom(...LISTS[vocabulary]);
  const outer = fc.constantFrom(...OUTER);
  const depth = DEPTHS[wrapping];
  if (depth === 0) return fc.constant([]);
  return fc
    .tuple(fc.uniqueArray(outer, { minLength: depth - 1, maxLength: depth - 1 }), list)
    .map(([above, name]) => [...above, name]);
};

/** Everything that may be chosen freely, put together so that the shape can be told from the outside at all. */
export const anyShape: fc.Arbitrary<Shape> = fc
  .record({
    wrapping: fc.constantFrom<Wrapping>(
      'bare',
      'member',
      'member',
      'member',
      'nested',
      'deep',
      'map',
      'map-in-member',
      'wrapped',
      'level',
      'rows',
    ),
    style: fc.constantFrom<Style>('all', 'link', 'next', 'token', 'page', 'offset'),
    vocabulary: fc.constantFrom<Vocabulary>('plain', 'real'),
  })
  .chain(({ wrapping, style, vocabulary: wished }) => {
    // Bare lists and maps have no room next to the records. Nobody has a body's words in headers.
    const hasRoom = DEPTHS[wrapping] > 0;
    const vocabulary = hasRoom || style === 'link' ? wished : 'plain';
    const places: readonly Where[] = [
      ...(vocabulary === 'plain' || style === 'link' ? (['header'] as const) : []),
      ...(hasRoom ? (['beside', 'beside', 'below', 'deep-below', 'root'] as const) : []),
    ];
    const nest = fc.constantFrom(...NESTS[vocabulary]);
    return fc
      .record({
        wrapping: fc.constant(wrapping),
        path: pathOf(vocabulary, wrapping),
        style: fc.constant(style),
        where: fc.constantFrom(...places),
        below: fc.uniqueArray(nest, { minLength: 2, maxLength: 2, selector: (name) => name.toLowerCase() }),
        vocabulary: fc.constant(vocabulary),
        words: wordsOf(vocabulary),
        says: saysOf(style),
        end: fc.constantFrom<EndRule>('null', 'absent', 'blank', 'more-false', 'stale', 'minus'),
        param: paramOf(style),
        isUsual: fc.constantFrom(true, true, true, false),
        firstPage: fc.constantFrom<0 | 1>(1, 1, 0),
        pageSize: fc.constantFrom(3, 4, 10),
        ownTotal: fc.constantFrom(false, false, false, true),
        beyond: fc.constantFrom<Shape['beyond']>('empty', 'empty', 'refused'),
        unknown: fc.constantFrom<Shape['unknown']>('ignored', 'ignored', 'ignored', 'filter', 'refused'),
        numbers: fc.constantFrom<Shape['numbers']>('number', 'number', 'text', 'thousands'),
        flags: fc.constantFrom<Shape['flags']>('boolean', 'boolean', 'word', 'number', 'letter'),
        link: fc.constantFrom<Shape['link']>('absolute', 'relative', 'query', 'object'),
        id: fc.oneof(
          { weight: 3, arbitrary: fc.constantFrom<IdForm>('Id', 'id', 'PlayerId', 'guid', 'text') },
          { weight: 1, arbitrary: fc.constantFrom<IdForm>('point', 'exponent', 'below', 'oid', 'link') },
        ),
        empty: fc.oneof(
          { weight: 2, arbitrary: fc.constant<Empty>('list') },
          {
            weight: 1,
            arbitrary: fc.constantFrom<Empty>('object', 'text', 'null', 'false', 'absent', 'count'),
          },
        ),
        isOneBare: fc.constantFrom(false, false, false, true),
        idle: fc.subarray([...IDLE_MEMBERS.keys()], { maxLength: 4 }),
        idleHeaders: fc.subarray([...IDLE_HEADERS.keys()], { maxLength: 3 }),
        counts: fc.tuple(countIn(), countIn()),
        error: seldom(
          fc.record({
            kind: fc.nat(ERROR_MEMBERS.length - 1),
            keeps: fc.constantFrom<'none' | 'some' | 'all'>('none', 'some', 'all'),
          }),
        ),
        late: seldom(fc.nat(IDLE_MEMBERS.length - 1)),
        linksLast: fc.constantFrom(false, false, false, true),
      })
      .map(({ isUsual, ...shape }) => sensible(isUsual ? { ...shape, param: usualParam(shape) } : shape));
  });

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

function usualParam({ style, words, says, param }: Omit<Shape, 'error'>): string {
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

/** Leaves out what nobody could tell from the outside, a person with all answers before him included. */
function sensible(shape: Shape): Shape {
  let { says, end, pageSize, counts } = shape;
  const numbered = shape.style === 'page' || shape.style === 'offset';
  const ownSize = shape.ownTotal && says.every((meaning) => meaning === 'size' || meaning === 'total');
  // A cap that nothing speaks of shows in a round number.
  if (numbered && (ownSize || says.every((meaning) => meaning === 'size'))) pageSize = 10;
  // A stale token is told from a further one by a flag, or by the empty page behind it.
  if (end === 'more-false' && !says.includes('more')) says = [...says, 'more'];
  if (shape.style === 'link' && end !== 'more-false') end = 'absent';
  if (shape.style === 'next' && (end === 'stale' || end === 'minus')) end = 'null';
  if (shape.where === 'header' && end === 'null') end = 'absent';
  // Where a word of paging and one of failure are the same, nobody can tell them apart.
  const isFailure =
    /partial|incomplete/i.test(shape.words.more) &&
    ERROR_MEMBERS[shape.error?.kind ?? 0]?.['partial'] !== undefined;
  // The members of one object have different names.
  const taken = [...Object.values(shape.words), ...shape.below];
  // A map of one entry is asked about; of none, nothing is there.
  if (shape.wrapping.startsWith('map')) counts = [Math.max(2, counts[0]), Math.max(2, counts[1])];
  const hasRoom = DEPTHS[shape.wrapping] > 0;
  return {
    ...shape,
    path: shape.path.map((name) => (taken.includes(name) ? `${name}s` : name)),
    says,
    end,
    pageSize,
    counts,
    beyond: numbered ? shape.beyond : 'empty',
    unknown: isSilent(shape, says) ? 'ignored' : shape.unknown,
    error: hasRoom && !isFailure ? shape.error : null,
    linksLast: shape.style === 'page' && shape.linksLast,
  };
}

/** True for numbered pages that name no parameter, and have none that anybody guesses. */
function isSilent({ style, param, firstPage }: Shape, says: readonly Meaning[]): boolean {
  const isNamed = says.includes('number') || says.includes('offset');
  const isUsual = ['page', 'offset'].includes(param) && (style === 'offset' || firstPage === 1);
  return (style === 'page' || style === 'offset') && !isNamed && !isUsual;
}
