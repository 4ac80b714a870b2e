import * as z from 'zod';
import { LONG_WAIT_MS } from '../api/call/limiter.ts';
import { readJson } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { replaceObject } from '../lake/replace-object.ts';
import type { Item, ItemWait, Pause } from '../runtime/services.ts';

interface AskedSource {
  readonly runId: string;
  readonly source: string;
}

/** The attempt of a run that calls a source. */
interface Asking extends AskedSource {
  readonly attempt: number;
}

/** The waits that a source's server wants in a run. */
export interface Pauses {
  /** Before any next call. */
  readonly until?: Date | undefined;
  /** Before the next call for an item, by `itemKey`. */
  readonly items: ReadonlyMap<string, ItemWait>;
  /** Since when an attempt has had no usable answer; undefined where none was ever missing. */
  readonly heard?: Heard | undefined;
  /** True where the run had no time for all of the source. */
  readonly isLate?: boolean | undefined;
}

interface Heard {
  readonly at: Date;
  readonly attempt: number;
}

/** A pause of a stage; disposing of it waits until the lake has all notes. */
export interface KeptPause extends Pause, AsyncDisposable {}

const date = z.iso.datetime().transform((text) => new Date(text));
const shape = z.object({
  until: date.exactOptional(),
  items: z.record(z.string(), z.object({ until: date, times: z.number().int().positive() })),
  heard: z.object({ at: date, attempt: z.number().int() }).exactOptional(),
  late: z.literal(true).exactOptional(),
});

/** A wait that ends this much later counts as the same, so many answers cause one write. */
const SAME_MS = 1000;
/**
 * A run waits up to an hour for one item, and twice. So a player that wants a day, or a wait each time, does
 * not delay the others.
 */
const ITEM_WAIT_MS = 3_600_000;
const ITEM_WAITS = 2;
/**
 * A source without a usable answer for this long is not called again in the run. Otherwise it would delay the
 * commit of all sources.
 */
const SILENT_MS = 3_600_000;
/** A waiting run may have an hour between two calls. So silence needs this many failed items in a row. */
const SILENT_ITEMS = 4;
/**
 * A run waits for a source until this long after its last usable answer: twice an hour, as for an item. Other
 * sources wait with it.
 */
const AWAITED_MS = 2 * SILENT_MS;
/** The key of the source itself among the items. */
const ALL_ITEMS = '';
/** How often other batches learn that the source answered. */
const HEARD_EVERY_MS = 300_000;

/** The waits that the source's server wants in the run. Throws STATE_CORRUPT. */
export async function readPauses(lake: Lake, place: AskedSource): Promise<Pauses> {
  const stored = await readJson(lake, lakeKey('pause', place), shape);
  return stored === undefined ? { items: new Map() } : pausesOf(stored);
}

/** The key of an item among the waits. */
export function itemKey({ resource, parentId }: Item): string {
  return parentId === null ? resource : `${resource}/${parentId}`;
}

/** Whole seconds until the pause is over; 0 where there is none. */
export function secondsLeft(until: Date | undefined, now: Date): number {
  return Math.max(0, Math.ceil(((until?.getTime() ?? 0) - now.getTime()) / 1000));
}

/**
 * `over`: the item may be requested. `kept`: the run waits for it. `given-up`: the run ends sooner, or the
 * item waited too much, so it is not requested again. A wait that ends with the source's own, `until`, costs
 * no more.
 */
export function stateOfWait(
  wait: ItemWait | undefined,
  { now, deadline, until }: { readonly now: Date; readonly deadline: Date; readonly until: Date | undefined },
): 'over' | 'kept' | 'given-up' {
  if (wait === undefined || wait.until <= now) return 'over';
  if (wait.until >= deadline) return 'given-up';
  if (until !== undefined && wait.until.getTime() < until.getTime() + SAME_MS) return 'kept';
  const isShort = wait.until.getTime() - now.getTime() <= ITEM_WAIT_MS;
  return isShort && wait.times <= ITEM_WAITS ? 'kept' : 'given-up';
}

/** True where the source sent no usable answer for an hour, or for two with waits that its server wants. */
export function isSilent(
  pauses: Pauses,
  { attempt, now }: { readonly attempt: number; readonly now: Date },
): boolean {
  const { heard, items } = pauses;
  if (heard?.attempt !== attempt) return false;
  // A finished wait, of an item or a long one of all, counts as an answer: it explains the silence.
  const over = [...items.values()].map(({ until }) => until).filter((until) => until <= now);
  const excused = Math.max(...[heard.at, ...over].map(Number));
  return (
    now.getTime() - excused >= SILENT_MS || now.getTime() - heard.at.getTime() >= AWAITED_MS + HEARD_EVERY_MS
  );
}

/**
 * True where the server wants a longer wait than the run has for one source. The wait counts from the last
 * usable answer. If the attempt in `when` has none yet, it counts from `when.now`.
 */
export function isGivenUp(
  { until, heard }: Pauses,
  when?: { readonly attempt: number; readonly now: Date },
): boolean {
  const at = when === undefined || heard?.attempt === when.attempt ? heard?.at : when.now;
  return until !== undefined && at !== undefined && until.getTime() - at.getTime() > AWAITED_MS;
}

/**
 * The source's waits in the lake. Each note is written at once, so even after a kill the run's next caller
 * has it.
 */
export async function keepPause(lake: Lake, place: Asking, now: () => Date): Promise<KeptPause> {
  const { attempt } = place;
  const before = await readPauses(lake, place);
  let { until } = before;
  const items = new Map(before.items);
  let at = before.heard?.attempt === attempt ? before.heard.at : now();
  let isNoted = before.heard?.attempt === attempt;
  let notedAt = at;
  let missing = 0;
  let isAwaited = false;
  let isLate = before.isLate;
  let written: Promise<void> = Promise.resolve();
  /** Writes all notes so far. Notes that come during a write go into the next one. */
  const write = (): void => {
    if (isAwaited) return;
    isAwaited = true;
    written = written.then(() => {
      isAwaited = false;
      return writeLater(lake, place, { until, items, isLate, ...(isNoted && { heard: { at, attempt } }) });
    });
    // The disposer gets the error.
    written.catch(() => {});
  };
  const pauses = (): Pauses => ({ until, items, heard: { at, attempt } });
  const noteHeard = (): void => {
    isNoted = true;
    notedAt = at;
    write();
  };
  return {
    wasSilent: isSilent(before, { attempt, now: now() }),
    until: () => until,
    isGivenUp: () => isGivenUp(pauses(), { attempt, now: now() }),
    note: (later) => {
      if (until !== undefined && later.getTime() < until.getTime() + SAME_MS) return;
      until = later;
      isNoted = true;
      if (later.getTime() - now().getTime() > LONG_WAIT_MS) items.set(ALL_ITEMS, { until: later, times: 1 });
      write();
    },
    ofItem: (item) => items.get(itemKey(item)),
    noteItem: (item, later) => {
      const key = itemKey(item);
      items.set(key, { until: later, times: (items.get(key)?.times ?? 0) + 1 });
      write();
    },
    noteLate: () => {
      if (isLate === true) return;
      isLate = true;
      write();
    },
    noteAnswer: () => {
      at = now();
      missing = 0;
      if (at.getTime() - notedAt.getTime() >= HEARD_EVERY_MS) noteHeard();
    },
    noteSilence: async () => {
      missing += 1;
      if (!isNoted) noteHeard();
      if (missing < SILENT_ITEMS || !isSilent(pauses(), { attempt, now: now() })) return false;
      await written;
      return isSilent(await readPauses(lake, place), { attempt, now: now() });
    },
    [Symbol.asyncDispose]: async () => {
      if (isNoted && at > notedAt) noteHeard();
      await written;
    },
  };
}

/** Writes the waits, or the lake's own where it is later: several batches may have to wait at once. */
async function writeLater(lake: Lake, place: AskedSource, pauses: Pauses): Promise<void> {
  await replaceObject(lake, lakeKey('pause', place), (stored) => {
    const known = stored && pausesOf(shape.parse(JSON.parse(stored.toString('utf8'))));
    const { until, items, heard, isLate } = known === undefined ? pauses : latestOf(known, pauses);
    return JSON.stringify({
      ...(until && { until }),
      items: Object.fromEntries(items),
      ...(heard && { heard }),
      ...(isLate === true && { late: true }),
    });
  });
}

function latestOf(known: Pauses, mine: Pauses): Pauses {
  const items = new Map(known.items);
  for (const [key, wait] of mine.items) {
    const other = items.get(key);
    if (other === undefined || other.times <= wait.times) items.set(key, wait);
  }
  const until = [known.until, mine.until].filter((each) => each !== undefined);
  const heard = [known.heard, mine.heard].filter((each) => each !== undefined);
  const [last] = heard.sort((a, b) => b.attempt - a.attempt || Number(b.at) - Number(a.at));
  return {
    items,
    isLate: known.isLate === true || mine.isLate === true,
    ...(until.length > 0 && { until: new Date(Math.max(...until.map(Number))) }),
    ...(last && { heard: last }),
  };
}

function pausesOf({ until, items, heard, late }: z.infer<typeof shape>): Pauses {
  return { until, items: new Map(Object.entries(items)), heard, isLate: late };
}
