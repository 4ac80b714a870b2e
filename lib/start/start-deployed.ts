import * as z from 'zod';
import type { Config } from '../config/config.ts';
import { ExportError } from '../errors.ts';
import { readHead } from '../lake/head.ts';
import type { Lake } from '../lake/lake.ts';
import { type Holder, type Lease, readLease } from '../lake/lease.ts';
import type { Executions, Operation, StartEvent } from '../run/payloads.ts';
import { renamedSources } from '../run/renamed-sources.ts';
import { runIdAt } from '../run-id.ts';
import type { Services } from '../runtime/services.ts';
import { beginExecution } from './begin-execution.ts';
import { start } from './start.ts';

export interface DeployedStart extends Services {
  readonly config: Config;
  readonly executions: Executions;
  /** Where a start waits for an operator's command to end; undefined where it already waits. */
  readonly waiting?: Executions | undefined;
}

/** The answer of the start's Lambda, so it is small. */
export const deployedStarted = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['started', 'running', 'delayed']), runId: z.string(), execution: z.string() }),
  z.object({ kind: z.literal('committed'), runId: z.string() }),
  z.object({ kind: z.literal('skipped'), runId: z.string(), code: z.string(), message: z.string() }),
]);
export type DeployedStarted = Readonly<z.infer<typeof deployedStarted>>;

/**
 * A start with a lease and no execution after this time is dead. Its Lambda ends after 60 s. The next try of
 * the Scheduler or of Lambda comes one or two minutes later.
 */
const STARTING_MS = 2 * 60_000;
/** Executions of a run are named RUN_ID, RUN_ID-2, … AWS reserves a name for 90 days. */
const MOST_EXECUTIONS = 100;

/**
 * Takes the lease for an execution and starts it with the run's name. A scheduled start that comes twice
 * returns the execution that runs. It is skipped if another run is under way, and waits in its own execution
 * for an operator's command. Throws LEASE_HELD where nobody scheduled it, and RUN_DELAYED (retry) while it
 * waits. Throws START_UNFINISHED (retry) where an earlier start of this run may still work.
 */
export async function startDeployed(event: StartEvent, services: DeployedStart): Promise<DeployedStarted> {
  const { executions, lake, now } = services;
  const scheduledTime = event.scheduledTime ?? now().toISOString();
  const scheduled = { ...event, scheduledTime };
  const runId = runIdAt(new Date(scheduledTime));
  const name = await freeName(runId, executions);
  const execution = executions.arnOf(name);
  try {
    // A rename takes longer than a start may.
    if (services.waiting !== undefined && (await hasRenamed(services)))
      return await waitForCommand(scheduled, services.waiting);
    const holder = { holder: { execution }, holderHasEnded: endedOnAws(services) };
    const started = await start(scheduled, { ...services, ...holder });
    if (started.kind === 'committed') return { kind: 'committed', runId };
    const begun = await beginExecution({ executions, lake, name, input: started.input });
    return { kind: 'started', runId, execution: begun };
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    const wasScheduled = event.scheduledTime !== undefined;
    const { code, message } = error;
    if (code === 'LEASE_HELD') {
      const lease = await readLease(lake);
      if (lease !== undefined && lease.runId === runId) return await answerOf(lease, executions);
      if (wasScheduled && (await isOfCommand(lease, lake)))
        return await waitForCommand(scheduled, services.waiting);
    }
    if (wasScheduled && (code === 'LEASE_HELD' || code === 'RUN_COVERED')) {
      return { kind: 'skipped', runId, code, message };
    }
    throw error;
  }
}

async function hasRenamed({ lake, config }: Pick<DeployedStart, 'lake' | 'config'>): Promise<boolean> {
  if (config.sources.every(({ was }) => was === undefined)) return false;
  const head = (await readHead(lake))?.head;
  return (await renamedSources(lake, { head, config })).length > 0;
}

/** True for the lease of a committed run: an operator's command changes it, or its commit is about to end. */
async function isOfCommand(lease: Lease | undefined, lake: Lake): Promise<boolean> {
  return lease !== undefined && lease.runId === (await readHead(lake))?.head.runId;
}

/** The error of a start that has to wait. The state machine tries such a start again every minute. */
export const runDelayed = (runId: string) =>
  new ExportError({
    code: 'RUN_DELAYED',
    message: `Run ${runId} waits for the end of an operator's command: AWS tries the start again every minute.`,
  });

/** Begins the execution in which the run waits. Repeated starts share one such execution. */
async function waitForCommand(
  event: StartEvent & { readonly scheduledTime: string },
  waiting: Executions | undefined,
): Promise<DeployedStarted> {
  const runId = runIdAt(new Date(event.scheduledTime));
  if (waiting === undefined) throw runDelayed(runId);
  const input = { command: 'start', ...event } satisfies Operation;
  return { kind: 'delayed', runId, execution: await waiting.start(`start-${runId}`, input) };
}

/**
 * The answer if the run already has the lease: its execution runs, or an earlier start is about to begin it.
 */
async function answerOf({ runId, holder }: Lease, executions: Executions): Promise<DeployedStarted> {
  const execution = 'execution' in holder ? holder.execution : `${holder.host} ${holder.pid}`;
  if (!('execution' in holder) || (await executions.stateOf(execution)) === 'running') {
    return { kind: 'running', runId, execution };
  }
  throw new ExportError({
    code: 'START_UNFINISHED',
    message: `Another start of run ${runId} took the lease less than ${STARTING_MS / 60_000} minutes ago and has not begun ${execution} yet. AWS tries again by itself. By hand, wait ${STARTING_MS / 60_000} minutes and start again.`,
  });
}

/** True where the lease belongs to an ended execution, or to a start that died before its execution began. */
export function endedOnAws(services: Pick<DeployedStart, 'executions' | 'lake' | 'now'>) {
  const { executions, lake, now } = services;
  return async (holder: Holder): Promise<boolean> => {
    if (!('execution' in holder)) return false;
    const state = await executions.stateOf(holder.execution);
    if (state !== 'missing') return state === 'ended';
    const lease = await readLease(lake);
    return lease !== undefined && Date.parse(lease.takenAt) + STARTING_MS <= now().getTime();
  };
}

/** The next free name for an execution of the run. Throws RUN_TRIED_TOO_OFTEN. */
export async function freeName(runId: string, executions: Executions): Promise<string> {
  for (let number = 1; number <= MOST_EXECUTIONS; number += 1) {
    const name = number === 1 ? runId : `${runId}-${number}`;
    if ((await executions.stateOf(executions.arnOf(name))) === 'missing') return name;
  }
  throw new ExportError({
    code: 'RUN_TRIED_TOO_OFTEN',
    message: `Run ${runId} had ${MOST_EXECUTIONS} executions and none committed: start a new run, without --run-time.`,
  });
}
