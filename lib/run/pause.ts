import * as z from 'zod';
import { LONG_WAIT_MS } from '../api/call/limiter.ts';
import { readJson } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import { ConditionFailed, type Lake } from '../lake/lake.ts';
import type { Item, ItemWait, Pause } from '../runtime/services.ts';

interface AskedSource {
  readonly runId: string;
  readonly source: string;
}

/** Where an attempt of a run asks. */
interface Asking extends AskedSource {
  readonly attempt: number;
}

/** The waits that a source's server has asked a run for. */
export interface Pauses {
  /** Before the next call of all. */
  readonly until?: Date | undefined;
  /** Before the next call for an item, by `itemKey`. */
  readonly items: ReadonlyMap<string, ItemWait>;
  /** Since when an attempt has had no usable answer; undefined where none was ever missing. */
  readonly heard?: Heard | undefined;
  /** The run had no time to ask for all of the source. */
  readonly isLate?: boolean | undefined;
}

interface Heard {
  readonly at: Date;
  readonly attempt: number;
}

/** A pause that its stage keeps; disposed of when what was noted lies in the lake. */
export interface KeptPause extends Pause, AsyncDisposable {}

const date = z.iso.datetime().transform((text) => new Date(text));
const shape = z.object({
  until: date.exactOptional(),
  items: z.record(z.string(), z.object({ until: date, times: z.number().int().positive() })),
  heard: z.object({ at: date, attempt: z.number().int() }).exactOptional(),
  late: z.literal(true).exactOptional(),
});

/** A wait that ends less than this later is the same: not each of many answers writes. */
const SAME_MS = 1000;
/**
 * For one item a run waits up to an hour, and twice. One player that asks for a day, or again each time, holds up the
 * others no longer.
 */
const ITEM_WAIT_MS = 3_600_000;
const ITEM_WAITS = 2;
/**
 * A source that has answered nothing usable for so long is asked for nothing more in the run, however many items are left:
 * the other sources wait for it to be committed.
 */
const SILENT_MS = 3_600_000;
/** One hour may have passed between two calls of a run that was waiting: so many items in a row prove the silence. */
const SILENT_ITEMS = 4;
/**
 * A run waits for a source, as its server asks, until so long after its last usable answer: for an hour twice, as for an
 * item. Other sources wait with it.
 */
const AWAITED_MS = 2 * SILENT_MS;
/** The source itself among the items. */
const ALL_ITEMS = '';
/** Other batches learn no sooner that the source was heard. */
const HEARD_EVERY_MS = 300_000;

/** What the source's server has asked the run to wait. Throws STATE_CORRUPT. */
export async function readPauses(lake: Lake, place: AskedSource): Promise<Pauses> {
  const stored = await readJson(lake, lakeKey('pause', place), shape);
  return stored === undefined ? { items: new Map() } : pausesOf(stored);
}

/** The name of an item among the waits. */
export function itemKey({ resource, parentId }: Item): string {
  return parentId === null ? resource : `${resource}/${parentId}`;
}

/** Whole seconds until the pause is over; 0 where there is none. */
export function secondsLeft(until: Date | undefined, now: Date): number {
  return Math.max(0, Math.ceil(((until?.getTime() ?? 0) - now.getTime()) / 1000));
}

/**
 * `over`: the item may be asked for. `kept`: the run waits, then asks. `given-up`: the run does not last so long, or the
 * item has asked for too much; it is not asked for again. A wait that ends with the source's own, `until`, costs no more.
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

/** True where the attempt has had no usable answer of the source for an hour, or for two with waits that its server asked for. */
export function isSilent(
  pauses: Pauses,
  { attempt, now }: { readonly attempt: number; readonly now: Date },
): boolean {
  const { heard, items } = pauses;
  if (heard?.attempt !== attempt) return false;
  // A wait that is over, of an item or a long one of all, is as good as an answer: the server said why.
  const over = [...items.values()].map(({ until }) => until).filter((until) => until <= now);
  const excused = Math.max(...[heard.at, ...over].map(Number));
  return (
    now.getTime() - excused >= SILENT_MS || now.getTime() - heard.at.getTime() >= AWAITED_MS + HEARD_EVERY_MS
  );
}

/**
 * True where the server asks to wait for longer than the run waits for one source. `when`: in an attempt that goes on; without
 * it, in the last one.
 */
export function isGivenUp(
  { until, heard }: Pauses,
  when?: { readonly attempt: number; readonly now: Date },
): boolean {
  const at = when === undefined || heard?.attempt === when.attempt ? heard?.at : when.now;
  return until !== undefined && at !== undefined && until.getTime() - at.getTime() > AWAITED_MS;
}

/**
 * The source's waits as the lake has them. What is noted is written at once, for whoever calls the source next in the
 * run, even if this process is killed.
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
  /** Writes all that is noted by then: what many answers say while one is written, the next one has. */
  const write = (): void => {
    if (isAwaited) return;
    isAwaited = true;
    written = written.then(() => {
      isAwaited = false;
      return writeLater(lake, place, { until, items, isLate, ...(isNoted && { heard: { at, attempt } }) });
    });
    // Whoever disposes of it is told.
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

/** Writes the waits, and of each what the lake has as a later one: several batches may be told to wait at once. */
async function writeLater(lake: Lake, place: AskedSource, pauses: Pauses): Promise<void> {
  const key = lakeKey('pause', place);
  for (;;) {
    const stored = await lake.read(key);
    const known = stored && pausesOf(shape.parse(JSON.parse(stored.bytes.toString('utf8'))));
    const { until, items, heard, isLate } = known === undefined ? pauses : latestOf(known, pauses);
    const condition = stored === undefined ? ({ absent: true } as const) : { match: stored.etag };
    const text = JSON.stringify({
      ...(until && { until }),
      items: Object.fromEntries(items),
      ...(heard && { heard }),
      ...(isLate === true && { late: true }),
    });
    try {
      await lake.write(key, Buffer.from(`${text}\n`), condition);
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
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
