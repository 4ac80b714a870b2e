import * as z from 'zod';
import { ExportError } from '../errors.ts';
import type { Attempt, RunId } from '../run-id.ts';
import { toTheSecond } from '../time.ts';
import { replaceObject } from './json-object.ts';
import { lakeKey } from './keys.ts';
import type { Lake } from './lake.ts';

const processHolder = z.strictObject({
  host: z.string(),
  pid: z.number().int().positive(),
  /** The process's start, as its system knows it. A later process with the same id has another one. */
  startedAt: z.string(),
});

const leaseShape = z.strictObject({
  runId: z.string(),
  attempt: z.number().int().positive(),
  holder: z.union([processHolder, z.strictObject({ execution: z.string() })]),
  takenAt: z.iso.datetime(),
  /** Every stage and batch renews it; after this time anybody may take it. */
  until: z.iso.datetime(),
  /** True once its run has ended. The file stays, because its attempt counts how often the lease was taken. */
  released: z.boolean(),
});

/** Who may write to a lake. One run at a time. */
export type Lease = Readonly<z.infer<typeof leaseShape>>;
export type ProcessHolder = Readonly<z.infer<typeof processHolder>>;
/** The process or execution that holds the lease; the lease ends with it. */
export type Holder = Lease['holder'];

export interface TakeLease {
  readonly lake: Lake;
  readonly runId: RunId;
  readonly holder: Holder;
  readonly until: Date;
  readonly now: Date;
  /** True where a holder is known to have ended; false where nobody can know. */
  readonly holderHasEnded: (holder: Holder) => Promise<boolean>;
  /** The attempt of the committed head, 0 without one. */
  readonly headAttempt: number;
}

/** Takes the lease for a run's new attempt. Throws LEASE_HELD while another holds it, LEASE_CORRUPT. */
export async function takeLease(options: TakeLease): Promise<Lease> {
  const { lake, runId, holder, until, now, headAttempt, holderHasEnded } = options;
  return await replaceLease(lake, async (held) => {
    const isHeld = held !== undefined && !held.released && new Date(held.until) > now;
    if (isHeld && !(await holderHasEnded(held.holder))) throw leaseHeld(lake, held, holder);
    return {
      runId,
      attempt: Math.max(held?.attempt ?? 0, headAttempt) + 1,
      holder,
      takenAt: now.toISOString(),
      until: until.toISOString(),
      released: false,
    };
  });
}

/**
 * Renews the attempt's lease until a time, unless it already lasts that long. Throws LEASE_LOST where another
 * run has it now.
 */
export async function renewLease(
  lake: Lake,
  mine: Attempt,
  until: Date,
  enough: Date = until,
): Promise<Lease> {
  return await replaceLease(lake, async (held) => {
    if (!isHeldBy(held, mine)) throw leaseLost(lake, mine, held);
    return new Date(held.until) >= enough ? held : { ...held, until: until.toISOString() };
  });
}

/** Releases the attempt's lease, so that the next run need not wait; no effect where another has it. */
export async function releaseLease(lake: Lake, mine: Attempt): Promise<void> {
  await replaceLease(lake, async (held) => (isHeldBy(held, mine) ? { ...held, released: true } : held));
}

/** The current lease; undefined where nobody ever took one. Throws LEASE_CORRUPT. */
export async function readLease(lake: Lake): Promise<Lease | undefined> {
  const stored = await lake.read(lakeKey('lease'));
  return stored && parseLease(lake, stored.bytes);
}

/** Replaces the lease by the result of `next`, which may be called again. */
async function replaceLease<Next extends Lease | undefined>(
  lake: Lake,
  next: (held: Lease | undefined) => Promise<Next>,
): Promise<Next> {
  const taken: { lease?: Next } = {};
  await replaceObject(lake, lakeKey('lease'), async (stored) => {
    const held = stored && parseLease(lake, stored);
    const lease = await next(held);
    taken.lease = lease;
    return lease === undefined || lease === held ? undefined : JSON.stringify(lease, null, 1);
  });
  return taken.lease as Next;
}

function isHeldBy(held: Lease | undefined, mine: Attempt): held is Lease {
  return held !== undefined && held.runId === mine.runId && held.attempt === mine.attempt && !held.released;
}

function leaseHeld(lake: Lake, { runId, holder, takenAt, until }: Lease, mine: Holder): ExportError {
  const [who, end] =
    'execution' in holder
      ? [`execution ${holder.execution}`, 'stop that execution']
      : [`process ${holder.pid} on ${holder.host}`, endOf(lake, holder, mine)];
  return new ExportError({
    code: 'LEASE_HELD',
    message: `Run ${runId} has been under way in ${lake.name} since ${toTheSecond(takenAt)}, by ${who}, and holds the lease until ${toTheSecond(until)}. Wait until it has ended, or ${end}, then start again.`,
  });
}

/** How to end a process. Nobody can see from here if a process of another machine has ended. */
function endOf(lake: Lake, { host, pid }: ProcessHolder, mine: Holder): string {
  if ('host' in mine && mine.host === host) return 'end that process';
  return `end it there with \`kill ${pid}\`; if it has ended, or ${host} is gone, write "released": true into ${lake.name}/${lakeKey('lease')}`;
}

function leaseLost(lake: Lake, mine: Attempt, held: Lease | undefined): ExportError {
  const now =
    held === undefined
      ? 'is gone'
      : held.runId === mine.runId && held.attempt === mine.attempt
        ? 'was given back'
        : `was taken by run ${held.runId}, attempt ${held.attempt}, at ${toTheSecond(held.takenAt)}`;
  return new ExportError({
    code: 'LEASE_LOST',
    message: `Run ${mine.runId}, attempt ${mine.attempt}, has no lease of ${lake.name} any more: the lease ${now}. Nothing of this attempt is published; see that run with \`status\`.`,
  });
}

function parseLease(lake: Lake, bytes: Buffer): Lease {
  try {
    return leaseShape.parse(JSON.parse(bytes.toString('utf8')));
  } catch (cause) {
    throw new ExportError({
      code: 'LEASE_CORRUPT',
      message: `${lake.name}/${lakeKey('lease')} is damaged. Make sure that no run is under way, remove that file, and start again.`,
      cause,
    });
  }
}
