import * as z from 'zod';
import { readJson, replaceObject } from '../lake/json-object.ts';
import { type KeyFields, lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import type { Attempt } from '../run-id.ts';
import type { Pause } from '../runtime/services.ts';

type AskedSource = KeyFields<'pause'>;
/** The attempt of a run that calls a source. */
type Asking = AskedSource & Attempt;

const date = z.iso.datetime().transform((text) => new Date(text));
const shape = z.object({
  /** Before any next call. */
  until: date.optional(),
  /** Before the next pass, which calls again what failed. */
  nextPass: date.optional(),
  /** Since when an attempt has had no usable answer; undefined where none was ever missing. */
  heard: z.object({ at: date, attempt: z.number().int() }).optional(),
  /** True where the run had no time for all of the source. */
  late: z.literal(true).optional(),
});

/** The wait that a source's server wants in a run. */
type Pauses = Readonly<z.infer<typeof shape>>;

/** A listing of a player that wants a longer wait is called again without one, and fails. */
const NEXT_PASS_MS = 3_600_000;
/** A wait that ends this much later counts as the same, so many answers cause one write. */
const SAME_MS = 1000;
/**
 * A source without a usable answer for this long is not called again in the run. Otherwise it would delay the
 * commit of all sources.
 */
const SILENT_MS = 3_600_000;
/** A waiting run may have an hour between two calls. So silence needs this many failed items in a row. */
const SILENT_ITEMS = 4;
/** A run waits for a source until this long after its last usable answer. Other sources wait with it. */
const AWAITED_MS = 2 * SILENT_MS;
/** How often other batches learn that the source answered. */
const HEARD_EVERY_MS = 300_000;

/** The wait that the source's server wants in the run. Throws STATE_CORRUPT. */
export async function readPauses(lake: Lake, place: AskedSource): Promise<Pauses> {
  return (await readJson(lake, lakeKey('pause', place), shape)) ?? {};
}

/** Whole seconds until the pause is over; 0 where there is none. */
export function secondsLeft(until: Date | undefined, now: Date): number {
  return Math.max(0, Math.ceil(((until?.getTime() ?? 0) - now.getTime()) / 1000));
}

/** True where the source sent no usable answer for an hour, or for two with waits that its server wants. */
export function isSilent(
  pauses: Pauses,
  { attempt, now }: { readonly attempt: number; readonly now: Date },
): boolean {
  const { heard, until } = pauses;
  if (heard?.attempt !== attempt) return false;
  // A finished wait counts as an answer: it explains the silence.
  const isOver = until !== undefined && until <= now;
  const excused = Math.max(heard.at.getTime(), isOver ? until.getTime() : 0);
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
 * The source's wait in the lake. Each note is written at once, so even after a kill the run's next caller
 * has it. Disposing of it waits until the lake has all notes.
 */
export async function keepPause(
  lake: Lake,
  place: Asking,
  now: () => Date,
): Promise<Pause & AsyncDisposable> {
  const { attempt } = place;
  const before = await readPauses(lake, place);
  let { until, nextPass, late } = before;
  let at = before.heard?.attempt === attempt ? before.heard.at : now();
  let isNoted = before.heard?.attempt === attempt;
  let notedAt = at;
  let missing = 0;
  let isAwaited = false;
  let written: Promise<void> = Promise.resolve();
  /** Writes all notes so far. Notes that come during a write go into the next one. */
  const write = (): void => {
    if (isAwaited) return;
    isAwaited = true;
    written = written.then(() => {
      isAwaited = false;
      return writeLater(lake, place, { until, nextPass, late, ...(isNoted && { heard: { at, attempt } }) });
    });
    // The disposer gets the error.
    written.catch(() => {});
  };
  const pauses = (): Pauses => ({ until, heard: { at, attempt } });
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
      write();
    },
    noteOfOne: (later) => {
      if (later.getTime() - now().getTime() > NEXT_PASS_MS || (nextPass ?? 0) >= later) return;
      nextPass = later;
      write();
    },
    noteLate: () => {
      if (late === true) return;
      late = true;
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

/** Writes the wait, or the lake's own where it is later: several batches may have to wait at once. */
async function writeLater(lake: Lake, place: AskedSource, pauses: Pauses): Promise<void> {
  await replaceObject(lake, lakeKey('pause', place), (stored) => {
    const known = stored === undefined ? {} : shape.parse(JSON.parse(stored.toString('utf8')));
    return JSON.stringify(latestOf(known, pauses));
  });
}

function latestOf(known: Pauses, mine: Pauses): Pauses {
  const heard = [known.heard, mine.heard].filter((each) => each !== undefined);
  const [last] = heard.sort((a, b) => b.attempt - a.attempt || Number(b.at) - Number(a.at));
  return {
    until: laterOf(known.until, mine.until),
    nextPass: laterOf(known.nextPass, mine.nextPass),
    heard: last,
    late: known.late ?? mine.late,
  };
}

function laterOf(one: Date | undefined, other: Date | undefined): Date | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}
