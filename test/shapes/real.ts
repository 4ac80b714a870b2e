import type { Shape } from './shape.ts';

/** An axis of shapes: whether a framework, vendor or proxy in use answers so, or only an adversary would. */
interface Axis {
  readonly axis: string;
  /** Who does it. Null: nobody is known to. */
  readonly seenIn: string | null;
  readonly has: (shape: Shape) => boolean;
}

/** The axes that decide whether a shape is one that somebody serves. The others (envelope, style, end, id, flags …) all are. */
export const AXES: readonly Axis[] = [
  {
    axis: 'words of APIs in use',
    seenIn: 'OData, Spring, DynamoDB, Jira, ArcGIS',
    has: ({ vocabulary }) => vocabulary !== 'invented',
  },
  {
    axis: 'an error in HTTP 200 next to the records',
    seenIn: 'Elasticsearch, ASP.NET',
    has: ({ error, path }) => error !== null && path.length > 0,
  },
  {
    axis: 'a total that counts the page',
    seenIn: 'a public signage server',
    has: ({ ownTotal }) => ownTotal,
  },
  {
    axis: 'unknown parameters are filters',
    seenIn: 'json-server, PostgREST, Feathers',
    has: ({ unknown }) => unknown === 'filter',
  },
  { axis: 'words that nobody uses', seenIn: null, has: ({ vocabulary }) => vocabulary === 'invented' },
  {
    axis: 'an error in a Warning header alone',
    seenIn: null,
    has: ({ error, path }) => error !== null && path.length === 0,
  },
  {
    axis: 'missing records told by a warning, or by a word of pages',
    seenIn: null,
    has: ({ error }) => error !== null && CUTS.has(error.kind),
  },
  { axis: 'missing records told by a word that nobody uses', seenIn: null, has: ({ told }) => told !== null },
  { axis: 'a word that turns without a meaning', seenIn: null, has: ({ turns }) => turns !== null },
  { axis: 'an entry of the list that tells an error', seenIn: null, has: ({ odd }) => odd !== null },
  { axis: 'a flag that denies something', seenIn: null, has: ({ denies }) => denies !== null },
  { axis: 'a window without a word', seenIn: null, has: ({ windowed }) => windowed !== null },
  {
    axis: 'a plain call that gives fewer records than a number',
    seenIn: null,
    has: ({ unaskedSize }) => unaskedSize !== null,
  },
  { axis: 'a page size that no page has', seenIn: null, has: ({ saidSize }) => saidSize !== 'right' },
  { axis: 'children cut without a word', seenIn: null, has: ({ childrenAtMost }) => childrenAtMost !== null },
  { axis: 'a cap at 12, 16, 19 or 31 records', seenIn: null, has: ({ pageSize }) => pageSize > 10 },
  {
    axis: 'a relation of links that nobody registered',
    seenIn: null,
    has: ({ style, relation }) => style === 'link' && relation !== 'next',
  },
  {
    axis: 'offsets or pages without a word, of which unknown parameters are filters',
    seenIn: null,
    has: isSilentFilter,
  },
  {
    axis: 'numbered pages that repeat the last one for ever',
    seenIn: null,
    has: ({ beyond }) => beyond === 'last-again',
  },
  {
    axis: 'words of a body in headers',
    seenIn: null,
    has: ({ where, style, vocabulary }) => where === 'header' && style !== 'link' && vocabulary === 'real',
  },
];

/** `truncated: true`, `warning` and `warnings` of ERROR_MEMBERS. */
const CUTS = new Set([15, 16, 17]);

/** A server that does not name its parameter. It returns nothing for an unknown one, or counts pages from 0. */
function isSilentFilter({ style, says, unknown, param, firstPage }: Shape): boolean {
  const isNamed = says.includes('number') || says.includes('offset');
  const isUsual = ['page', 'offset'].includes(param) && (style === 'offset' || firstPage === 1);
  return (style === 'page' || style === 'offset') && !isNamed && unknown !== 'ignored' && !isUsual;
}

/** Whether a framework, vendor or proxy in use could answer so. */
export function isReal(shape: Shape): boolean {
  return AXES.every(({ seenIn, has }) => seenIn !== null || !has(shape));
}
