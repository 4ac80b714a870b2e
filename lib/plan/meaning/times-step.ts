import { type Compared, mostFrequent, type Step } from './compared.ts';
import { momentOf } from './value-traits.ts';

const MINUTE = 60;
const QUARTER = 15 * MINUTE;
/** No two zones are further apart. */
const MOST = 14 * 60 * MINUTE;
/** A time this near to its run, such as a last contact, moves with the clock. */
const LIVE = 40 * MINUTE;
/** It may move by so much less or more than the clock. */
const LOOSE = 20 * MINUTE;

/**
 * Times have shifted by the same quarters of an hour. A fixed time must have shifted exactly, to where no event of today
 * can have moved it. A time that moves with the clock must have shifted against it.
 */
export function timesStep({ pairs, at, known }: Compared): Step | undefined {
  const times = pairs.flatMap((pair) => {
    const [was, is] = [momentOf(pair.was), momentOf(pair.is)];
    return was === undefined || is === undefined ? [] : [{ was, is, by: is - was }];
  });
  // One time that all records share may be set again, such as that of a maintenance.
  if (new Set(times.map(({ was }) => was)).size === 1) return undefined;
  const fixed = times.filter(
    ({ was, is, by }) =>
      by !== 0 && by % QUARTER === 0 && Math.abs(by) <= MOST && (by < 0 || is <= at.was || was > at.is),
  );
  const exact = mostFrequent(fixed.map(({ by }) => by)) ?? 0;
  const shifted = fixed.filter(({ by }) => by === exact).length;
  // Events of a day may have moved the others.
  if (2 * shifted >= times.length) return { ...zoneStep(exact, shifted, times.length), share: 0.5 };
  // What has shifted may shift back.
  const ahead = known?.kind === 'zone' ? (known.by ?? 0) : 0;
  // A time that stands still says that nobody was there.
  const live = times
    .filter(({ was, by }) => Math.abs(was - at.was - ahead) <= LIVE && Math.abs(by) > LOOSE)
    .map(({ by }) => by - (at.is - at.was))
    .sort((a, b) => a - b);
  const middle = live[Math.floor(live.length / 2)] ?? 0;
  const by = Math.round(middle / (2 * QUARTER)) * 2 * QUARTER;
  const moved = live.filter((each) => Math.abs(each - by) <= LOOSE).length;
  const others = by === exact ? shifted : 0;
  // Players that fall silent look like an earlier zone, unless fixed times moved too.
  const isSure = by > 0 || ahead !== 0 || others > 0;
  return isSure && by !== 0 && Math.abs(by) <= MOST ? zoneStep(by, moved + others, times.length) : undefined;
}

function zoneStep(by: number, changed: number, of: number): Step {
  const now = `${Math.abs(by) / 3600} h ${by > 0 ? 'later' : 'earlier'} than`;
  return { kind: 'zone', by, of, changed, now };
}
