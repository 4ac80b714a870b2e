import fc from 'fast-check';
import { anyOdd, anyTurns, anyWindowed, MOVED, type Odd, type Turns, type Windowed } from './odd.ts';
import { anyTold, type Told } from './told.ts';
import { ERROR_MEMBERS, IDLE_HEADERS, IDLE_MEMBERS, inventedWord, type Meaning, WORDS } from './words.ts';

export type Vocabulary = 'plain' | 'real' | 'invented';
export type Wrapping =
  | 'bare'
  | 'member'
  | 'nested'
  | 'deep'
  | 'map'
  | 'map-in-member'
  /** Each record below a word of its own. */
  | 'wrapped'
  /** The list below the one entry of another. */
  | 'level'
  /** Rows of values next to the names of their columns. */
  | 'rows'
  /** A text that is JSON. */
  | 'text'
  /** An object a line. */
  | 'lines';
export type Style = 'all' | 'link' | 'next' | 'token' | 'page' | 'offset';
/**
 * The place of what is said of paging: a header, next to the list, or below an object next to it. It may also be at the
 * root, or in an entry of the map that is not a record.
 */
export type Where = 'header' | 'beside' | 'below' | 'deep-below' | 'root' | 'entry';
/** How a parent's listing says that it has no record. */
export type Empty = 'list' | 'object' | 'text' | 'null' | 'false' | 'absent' | 'count';
/** Ids as they come: under a name, as text, as `1.0` and `1e3`, below a level, and in a link alone. */
export type IdForm =
  | 'Id'
  | 'id'
  | 'PlayerId'
  | 'guid'
  | 'text'
  | 'point'
  | 'exponent'
  | 'below'
  | 'oid'
  | 'link';
/** `minus`: the token behind the last page is -1. */
export type EndRule = 'null' | 'absent' | 'blank' | 'more-false' | 'stale' | 'minus';

/** How one API answers its listings. */
export interface Shape {
  readonly wrapping: Wrapping;
  /** Names of the members on the way to the records. */
  readonly path: readonly string[];
  readonly style: Style;
  readonly where: Where;
  /** Names of the objects that hold the paging. */
  readonly below: readonly string[];
  readonly vocabulary: Vocabulary;
  readonly words: Readonly<Record<Meaning, string>>;
  /** What numbered pages say of themselves. */
  readonly says: readonly Meaning[];
  readonly end: EndRule;
  /** The query parameters by which pages are requested, and their size. */
  readonly param: string;
  readonly firstPage: 0 | 1;
  readonly pageSize: number;
  /** Of numbered pages: the most records that the answer to a call without a page's number has; null where it is a page like others. */
  readonly unaskedSize: number | null;
  /** What the server says that its pages have; more than they have. */
  readonly saidSize: 'right' | 'more';
  /** A total that counts the page alone. */
  readonly ownTotal: boolean;
  /** What is answered behind the last page. */
  readonly beyond: 'empty' | 'last-again' | 'refused';
  /** What a parameter does that the server does not know: nothing, or no record passes it, or the call is refused. */
  readonly unknown: 'ignored' | 'filter' | 'refused';
  readonly numbers: 'number' | 'text' | 'thousands';
  readonly flags: 'boolean' | 'word' | 'number' | 'letter';
  readonly link: 'absolute' | 'relative' | 'query' | 'object';
  readonly id: IdForm;
  /** Of children. */
  readonly empty: Empty;
  /** A listing of one child is the bare record. */
  readonly isOneBare: boolean;
  /** Each further page of children begins with the last record of the one before. */
  readonly overlaps: boolean;
  readonly idle: readonly number[];
  readonly idleHeaders: readonly number[];
  /** Records on each of two days. */
  readonly counts: readonly [number, number];
  /** On the second day the first answer says that it failed, with so many of its records. */
  readonly error: { readonly kind: number; readonly keeps: 'none' | 'some' | 'all' } | null;
  /** A member that only the second day has. */
  readonly late: number | null;
  /** What an answer tells of itself in a value, under a word that nobody knows. */
  readonly told: Told | null;
  readonly turns: Turns | null;
  readonly odd: Odd | null;
  /** Of pages that tell neither a total nor more. */
  readonly windowed: Windowed | null;
  /** What the Link header calls the next page. */
  readonly relation: string;
  /** Of numbered pages: the Link header names the last one, and none else tells how many there are. */
  readonly linksLast: boolean;
  /** Of numbered pages: a text has the numbers of the page's first and last record, and of all. */
  readonly range: { readonly name: string; readonly words: readonly [string, string] } | null;
  /** The most records that a parent's listing gives, whatever it is asked with. */
  readonly childrenAtMost: number | null;
  /** A flag that denies something on every page, which is not that there are more of them. */
  readonly denies: string | null;
}

/** `limitExceeded: false`, `hasMoreColumns: false`, `truncated: false`. */
const anyDenied = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('limit', 'quota', 'rowBudget', 'vendor.totalcountlimit', 'credit_line'),
      fc.constantFrom('Exceeded', '_exceeded', 'exceeded', 'Reached', 'Truncated'),
    )
    .map((words) => words.join('')),
  fc
    .tuple(
      fc.constantFrom('hasMore', 'has_more_', 'more', 'hasNext', 'further', 'isLast'),
      fc.constantFrom('Columns', 'Fees', 'Fields', 'Regions'),
    )
    .map((words) => words.join('')),
  fc.constantFrom('truncated', 'fieldsTruncated', 'remainingDebt'),
);

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
  vocabulary === 'invented' ? inventedWord : fc.constantFrom(...WORDS[vocabulary][meaning]);

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
  lines: 0,
  member: 1,
  'map-in-member': 1,
  wrapped: 1,
  level: 1,
  rows: 1,
  text: 1,
  nested: 2,
  deep: 3,
};

const pathOf = (vocabulary: Vocabulary, wrapping: Wrapping): fc.Arbitrary<readonly string[]> => {
  // An envelope under a word that nobody knows is asked about; half of those of the invented shapes have a known one.
  const list =
    vocabulary === 'invented'
      ? fc.oneof(fc.constantFrom(...LISTS.plain), inventedWord)
      : fc.constantFrom(...LISTS[vocabulary]);
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
      'text',
      'lines',
    ),
    style: fc.constantFrom<Style>('all', 'link', 'next', 'token', 'page', 'offset'),
    vocabulary: fc.constantFrom<Vocabulary>('plain', 'real', 'invented'),
  })
  .chain(({ wrapping, style, vocabulary }) => {
    // In a bare list and in a map there is no room next to the records.
    const isMap = wrapping === 'map' || wrapping === 'map-in-member';
    const inMap: readonly Where[] = isMap ? ['entry'] : [];
    const places: readonly Where[] =
      DEPTHS[wrapping] === 0
        ? ['header', ...inMap]
        : ['header', 'beside', 'beside', 'below', 'deep-below', 'root', ...inMap];
    const nest = vocabulary === 'invented' ? inventedWord : fc.constantFrom(...NESTS[vocabulary]);
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
        param: paramOf(style, vocabulary),
        isUsual: fc.constantFrom(true, true, true, false),
        firstPage: fc.constantFrom<0 | 1>(1, 1, 0),
        pageSize: fc.constantFrom(3, 4, 10),
        unaskedSize: seldom(fc.constantFrom(2, 3, 8)),
        saidSize: fc.constantFrom<'right' | 'more'>('right', 'right', 'right', 'more'),
        ownTotal: fc.constantFrom(false, false, false, true),
        beyond: fc.constantFrom<Shape['beyond']>('empty', 'empty', 'last-again', 'refused'),
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
        overlaps: fc.constantFrom(false, false, false, true),
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
        told: seldom(anyTold),
        relation: fc.oneof(
          { weight: 4, arbitrary: fc.constant('next') },
          { weight: 1, arbitrary: inventedWord.map((word) => `https://rels.example/${word}`) },
        ),
        linksLast: fc.constantFrom(false, false, false, true),
        range: seldom(
          fc.record({ name: inventedWord, words: fc.tuple(inventedWord, fc.constantFrom('/', 'of', ' ')) }),
        ),
        childrenAtMost: seldom(fc.constantFrom(2, 3)),
        turns: seldom(anyTurns),
        odd: seldom(anyOdd),
        capSize: fc.constantFrom(10, 10, 12, 16, 19, 24, 30, 31),
        denies: seldom(anyDenied),
        windowed: fc.option(anyWindowed),
      })
      .map(({ isUsual, capSize, ...shape }) =>
        sensible(isUsual ? { ...shape, param: usualParam(shape) } : shape, capSize),
      );
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

function usualParam({ style, vocabulary, words, says, param }: Omit<Shape, 'error'>): string {
  if (vocabulary === 'invented') return param;
  const meaning = style === 'token' ? 'token' : style === 'page' ? 'number' : 'offset';
  if (style !== 'token' && style !== 'page' && style !== 'offset') return param;
  if (meaning !== 'token' && !says.includes(meaning)) return style;
  return USUAL[words[meaning]] ?? words[meaning];
}

function paramOf(style: Style, vocabulary: Vocabulary): fc.Arbitrary<string> {
  if (style !== 'token' && style !== 'page' && style !== 'offset') return fc.constant('page');
  const known = fc.constantFrom(...PARAMS[style]);
  return vocabulary === 'invented'
    ? fc.oneof(
        known,
        inventedWord.map((word) => word.replace(':', '_')),
      )
    : known;
}

/** One time in six. */
function seldom<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });
}

function countIn(): fc.Arbitrary<number> {
  return fc.oneof(fc.constantFrom(0, 1, 2, 3, 4, 9, 10, 11, 12, 20, 21), fc.integer({ min: 0, max: 33 }));
}

/** Leaves out what nobody could tell from the outside, a person with all answers before him included. */
function sensible(shape: Shape, capSize: number): Shape {
  let { says, end, pageSize, beyond, counts, saidSize } = shape;
  const numbered = shape.style === 'page' || shape.style === 'offset';
  const sizeAlone = says.every((meaning) => meaning === 'size');
  const linksLast = shape.style === 'page' && shape.linksLast;
  const range = numbered && DEPTHS[shape.wrapping] > 0 ? shape.range : null;
  const ownSize = shape.ownTotal && says.every((meaning) => meaning === 'size' || meaning === 'total');
  // A cap that nothing speaks of shows in a round number, or in what the usual parameters lead to.
  if (numbered && (sizeAlone || ownSize)) {
    const isUsual = ['page', 'offset', 'skip', 'start'].includes(shape.param) && !says.includes('size');
    pageSize = isUsual ? capSize : 10;
    if (pageSize > 10) counts = [counts[0] + pageSize - 6, counts[1] + pageSize - 6];
  }
  if (shape.style === 'all') saidSize = 'right';
  // A stale token is told from a further one by a flag, or by the empty page behind it.
  if (end === 'more-false' && !says.includes('more')) says = [...says, 'more'];
  if (shape.style === 'link' && end !== 'more-false') end = 'absent';
  if (shape.style === 'next' && (end === 'stale' || end === 'minus')) end = 'null';
  if (shape.where === 'header' && end === 'null') end = 'absent';
  // Without a number that goes on, a repeated page looks like a parameter that nobody reads.
  if (beyond === 'last-again' && !says.includes('number') && !says.includes('offset')) beyond = 'empty';
  if (shape.style === 'token' || shape.style === 'all' || shape.style === 'link' || shape.style === 'next')
    beyond = 'empty';
  // Where a word of paging and one of failure are the same, nobody can tell them apart.
  if (
    /partial|incomplete/i.test(shape.words.more) &&
    ERROR_MEMBERS[shape.error?.kind ?? 0]?.['partial'] !== undefined
  )
    return { ...sensible({ ...shape, error: null }, capSize) };
  // A total counts a record once.
  const isServed = shape.style === 'token' || shape.style === 'next' || shape.style === 'link';
  const overlaps = shape.overlaps && isServed && !says.includes('total');
  // A page of its own size is seen by what the page says of its number: nobody asks for a second page of what looks whole.
  const isNumber = shape.style === 'page' && (says.includes('number') || says.includes('more'));
  const unaskedSize = isNumber && (shape.unaskedSize ?? pageSize) < pageSize ? shape.unaskedSize : null;
  // The members of one object have different names.
  const taken = [...Object.values(shape.words), ...shape.below];
  const path = shape.path.map((name) => (taken.includes(name) ? `${name}s` : name));
  // A map, or lines, of one entry are asked about; of none, nothing is there.
  if (shape.wrapping.startsWith('map') || shape.wrapping === 'lines')
    counts = [Math.max(2, counts[0]), Math.max(2, counts[1])];
  // A greatest number of children shows only if many parents have it, and some have fewer.
  const isCut = shape.style === 'all' && !shape.wrapping.startsWith('map') && Math.min(...counts) >= 15;
  const childrenAtMost = isCut ? shape.childrenAtMost : null;
  if (childrenAtMost !== null) counts = [counts[0] + 31, counts[1] + 31];
  const told = shape.told !== null && toldIn(shape, shape.told) ? shape.told : null;
  // One thing that is wrong at a time; rows have the columns of the first one.
  const isSound = told === null && shape.error === null;
  const isMap = shape.wrapping.startsWith('map');
  const odd = isSound && shape.wrapping !== 'rows' && !isMap ? shape.odd : null;
  if (odd?.form === 'entry') counts = [Math.max(6, counts[0]), Math.max(6, counts[1])];
  // By its offset, the next page begins where a shorter one has ended.
  const losesNone = shape.style === 'offset' && shape.turns?.keeps === 'some';
  const turns = isSound && odd?.form !== 'entry' && !losesNone ? turnsIn(shape) : null;
  const windowed =
    isSound && turns === null && odd === null && range === null && !linksLast
      ? windowedIn(shape, says)
      : null;
  if (windowed !== null) {
    const least = 2 * pageSize + 3;
    counts = [Math.max(least, counts[0]), Math.max(least, counts[1])];
    beyond = 'empty';
  }
  // To lose records, a listing needs as many as the day before.
  if (turns?.keeps === 'some') counts = [Math.max(4, counts[0]), Math.max(4, counts[0])];
  return {
    ...shape,
    path,
    says,
    end,
    pageSize,
    unaskedSize,
    beyond,
    counts,
    saidSize,
    overlaps,
    linksLast,
    range,
    childrenAtMost,
    told,
    turns,
    odd,
    windowed,
  };
}

/** A server may say how many there are, or that there are more. Then it says itself that records are missing. */
function windowedIn({ windowed, style, wrapping, denies }: Shape, says: readonly Meaning[]): Windowed | null {
  const isNumbered = style === 'page' || style === 'offset';
  const isSilent = !says.some((meaning) => ['total', 'pages', 'more'].includes(meaning));
  if (windowed?.form === 'last') return style === 'link' && isSilent && denies === null ? windowed : null;
  return isNumbered && isSilent && denies === null && ['member', 'nested', 'deep'].includes(wrapping)
    ? windowed
    : null;
}

/**
 * Lines and the entries of a map have no room for a member next to them, and a header holds a text. A number is one
 * question, as what is told.
 */
function turnsIn(shape: Shape): Turns | null {
  const { turns, wrapping } = shape;
  const isText = typeof turns?.values[0] === 'string';
  const isNumber = typeof turns?.values[0] === 'number' || Array.isArray(turns?.values[0]);
  const hasRoom = DEPTHS[wrapping] > 0 || isText;
  if (turns?.name === MOVED) return wrapping === 'member' && shape.style === 'all' ? turns : null;
  return hasRoom && !(isNumber && isPlaceAsked(shape)) ? turns : null;
}

/** Whether the place of the records is a question. */
function isPlaceAsked({ wrapping, vocabulary }: Shape): boolean {
  return vocabulary === 'invented' || ['wrapped', 'level', 'rows', 'text', 'lines'].includes(wrapping);
}

/**
 * A header holds a text, and a map and lines have room for nothing else. Where the place of the records is a question too, what
 * means nothing is one too many for three rounds.
 */
function toldIn(shape: Shape, { form, keeps }: Told): boolean {
  if (keeps === 'all' && isPlaceAsked(shape)) return false;
  return DEPTHS[shape.wrapping] > 0 || form === 'sentence' || form === 'word';
}
