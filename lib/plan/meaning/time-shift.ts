import type { Trait } from '../../schema/columns/sampled.ts';
import { type Change, type Compared, counts, MANY, NEARLY_ALL } from './compared.ts';
import { formIn, momentOf } from './value-traits.ts';

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
    const hasOtherZone = zoneIn(pair.was) !== zoneIn(pair.is);
    return was === undefined || is === undefined ? [] : [{ was, is, by: is - was, hasOtherZone }];
  });
  // One time that all records share may be set again, such as that of a maintenance.
  if (times.length < MANY || new Set(times.map(({ was }) => was)).size === 1) return undefined;
  const fixed = times.filter(
    ({ was, is, by }) =>
      by !== 0 && by % QUARTER === 0 && Math.abs(by) <= MOST && (by < 0 || is <= at.was || was > at.is),
  );
  const [exact = []] = [...Map.groupBy(fixed, ({ by }) => by).values()].toSorted(
    (a, b) => b.length - a.length,
  );
  const [first] = exact;
  if (first !== undefined && 2 * exact.length >= times.length)
    return shifted(first.by, `${counts(exact, times)} are`, date);
  const gap = at.is - at.was;
  // What has shifted may shift back.
  const ahead = known?.kind === 'zone' ? (known.by ?? 0) : 0;
  // A time that stands still says that nobody was there.
  const live = times.filter(({ was, by }) => Math.abs(was - at.was - ahead) <= LIVE && Math.abs(by) > LOOSE);
  const against = median(live.map(({ by }) => by - gap));
  const shift = Math.round(against / (2 * QUARTER)) * 2 * QUARTER;
  const moved = live.filter(({ by }) => Math.abs(by - gap - shift) <= LOOSE);
  const all = [...moved, ...fixed.filter((each) => each.by === shift && !moved.includes(each))];
  // Players that fall silent look like an earlier zone. Fixed times that moved, or another written zone, tell them apart.
  const isWritten = times.filter(({ hasOtherZone }) => hasOtherZone).length >= NEARLY_ALL * times.length;
  const isSure = shift > 0 || ahead !== 0 || all.length > moved.length || isWritten;
  const isShift = isSure && shift !== 0 && Math.abs(shift) <= MOST && Math.abs(against - shift) <= LOOSE / 2;
  return isShift && all.length >= NEARLY_ALL * times.length
    ? shifted(shift, `${counts(all, times)} are`, date)
    : undefined;
}

function shifted(by: number, says: string, date: string): Change {
  const hours = `${Math.abs(by) / 3600} h`;
  return { kind: 'zone', by, says: `${says} ${hours} ${by > 0 ? 'later' : 'earlier'} than before ${date}` };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

/** How a text's zone is written: `x` for Z and `+99:99`; undefined for a time without one. */
function zoneIn(trait: Trait): string | undefined {
  return /(?:x|[-+]99(?::?99)?)$/.exec(formIn(trait) ?? '')?.[0].replace('-', '+');
}
