import { DEPTHS, freeShape, type Shape } from './shape.ts';
import { ERROR_MEMBERS, type Meaning } from './words.ts';

/** Everything that may be chosen freely, put together so that the shape can be told from the outside at all. */
export const anyShape = freeShape.map(sensible);

/** Leaves out what nobody could tell from the outside, a person with all answers before him included. */
function sensible(shape: Shape): Shape {
  let { says, end, pageSize, counts, stray } = shape;
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
  if (stray !== null && shape.wrapping.startsWith('map'))
    counts = [Math.max(3, counts[0]), Math.max(3, counts[1])];
  // One or two records do not show what all of them have, so only a failure is no record.
  if (stray !== null && counts[stray.day] < 3) stray = { ...stray, kind: 0 };
  const hasRoom = DEPTHS[shape.wrapping] > 0;
  return {
    ...shape,
    path: shape.path.map((name) => (taken.includes(name) ? `${name}s` : name)),
    says,
    end,
    pageSize,
    counts,
    stray,
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
