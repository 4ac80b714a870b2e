import { type Change, type Compared, counts, MANY, NEARLY_ALL } from './compared.ts';
import { momentOf } from './value-traits.ts';

const QUARTER = 900;
/** No two zones are further apart. */
const MOST = 14 * 3600;
/** Times that move with the clock, such as a last contact, move by a few minutes. */
const LOOSE = 20 * 60;
/** A time this near to the run moves with the clock. */
const LIVE = 40 * 60;

/**
 * All times have shifted by the same quarters of an hour. Fixed times must have shifted exactly, to where no
 * event of today can have moved them. Times that move with the clock must have shifted against it.
 */
export function timeShift({ pairs, at, date, known }: Compared): Change | undefined {
  const times = pairs.flatMap((pair) => {
    const [was, is] = [momentOf(pair.was), momentOf(pair.is)];
    return was === undefined || is === undefined ? [] : [{ was, is, by: is - was }];
  });
  if (times.length < MANY) return undefined;
  const still = times.filter(
    ({ was, is, by }) =>
      by !== 0 && by % QUARTER === 0 && Math.abs(by) <= MOST && (by < 0 || is <= at.was || was > at.is),
  );
  const [exact = []] = [...Map.groupBy(still, ({ by }) => by).values()].toSorted(
    (a, b) => b.length - a.length,
  );
  const [first] = exact;
  if (first !== undefined && 2 * exact.length >= times.length)
    return shifted(first.by, `${counts(exact, times)} are`, date);
  const gap = at.is - at.was;
  const against = times.map(({ by }) => by - gap);
  const shift = Math.round(median(against) / (2 * QUARTER)) * 2 * QUARTER;
  // What has shifted may shift back.
  const ahead = known?.kind === 'zone' ? (known.by ?? 0) : 0;
  const isLive = (was: number) => Math.abs(was - at.was - ahead) <= LIVE;
  const moved = times.filter(({ was, by }) => isLive(was) && Math.abs(by - gap - shift) <= LOOSE);
  const isShift = shift !== 0 && Math.abs(shift) <= MOST && Math.abs(median(against) - shift) <= LOOSE / 2;
  return isShift && moved.length >= NEARLY_ALL * times.length
    ? shifted(shift, `${counts(moved, times)} are`, date)
    : undefined;
}

function shifted(by: number, says: string, date: string): Change {
  const hours = `${Math.abs(by) / 3600} h`;
  return { kind: 'zone', by, says: `${says} ${hours} ${by > 0 ? 'later' : 'earlier'} than before ${date}` };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
