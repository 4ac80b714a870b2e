import { removeLeftCopies } from '../aws/left-copies.ts';
import { s3Lake } from '../aws/s3-lake.ts';
import { ExportError } from '../errors.ts';
import { type Environment, environment } from '../runtime/environment.ts';
import { describeError, log } from '../runtime/log.ts';
import { type ProgressEvent, PUBLISH_WIDTH, type Services } from '../runtime/services.ts';

/** Kept back to store the answers before Lambda kills the invocation: 64 MiB at a slow 8 MiB/s take 8 s. */
const LAMBDA_RESERVE_MS = 10_000;
/** The memory of Node and of the SDK's buffers; DuckDB has the rest. */
const NODE_MIB = 512;
/** @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html : one vCPU for each 1,769 MB. */
const MIB_A_THREAD = 1769;

/** The part of Lambda's context that a stage uses. */
export interface LambdaContext {
  readonly awsRequestId: string;
  getRemainingTimeInMillis(): number;
}

export interface LambdaServices extends Services {
  readonly environment: Environment;
}

type Stage = (event: unknown, services: LambdaServices) => Promise<unknown>;

/**
 * A stage as Lambda calls it: its log begins and ends, with the time that it took and what it did. The name of
 * an error is its code, by which the state machine knows it. A foreign error leaves without its words.
 */
export function stageLambda(name: string, stage: Stage) {
  return async (event: unknown, context: LambdaContext): Promise<unknown> => {
    const names = { stage: name, ...namesIn(event), requestId: context.awsRequestId };
    const startedMs = performance.now();
    const counts = new Map<string, number>();
    const done = () => ({
      ...names,
      durationMs: Math.round(performance.now() - startedMs),
      ...Object.fromEntries(counts),
    });
    log('info', 'begins', names);
    try {
      const answer = await withServices({ context, counts }, (services) => stage(event, services));
      log('info', 'ends', done());
      return answer;
    } catch (error) {
      log('error', 'fails', { ...done(), error: describeError(error) });
      throw error instanceof ExportError ? error : unexpected(error);
    }
  };
}

/**
 * Passes a step its services: the lake, the memory for DuckDB, the time that is left. Removes what a killed call left
 * in /tmp, and closes the lake afterwards.
 */
async function withServices<Result>(
  { context, counts }: { readonly context: LambdaContext; readonly counts: Map<string, number> },
  step: (services: LambdaServices) => Promise<Result>,
): Promise<Result> {
  await removeLeftCopies();
  const env = environment();
  await using lake = s3Lake(env.lake, env);
  return await step({
    environment: env,
    lake,
    now: () => new Date(),
    timeLeft: () => context.getRemainingTimeInMillis() - LAMBDA_RESERVE_MS,
    memoryLimitMiB: Math.max(256, env.memoryMiB - NODE_MIB),
    threads: Math.max(1, Math.min(6, Math.round(env.memoryMiB / MIB_A_THREAD))),
    publishWidth: PUBLISH_WIDTH,
    views: env.views,
    onProgress: (progress) => count(counts, progress),
  });
}

/** Adds an event of progress to the sums, which the line at the end of the stage shows. */
function count(counts: Map<string, number>, progress: ProgressEvent): void {
  const add = (name: string, more: number) => counts.set(name, (counts.get(name) ?? 0) + more);
  if (progress.stage === 'list') add('records', progress.records);
  if (progress.stage === 'listed') add('items', progress.items);
  if (progress.stage === 'collect') add('done', progress.done);
}

/** The run and the source of an event, for the log. */
function namesIn(event: unknown): { readonly run?: string; readonly source?: string } {
  const { runId: run, source } = Object(event);
  return { ...(typeof run === 'string' && { run }), ...(typeof source === 'string' && { source }) };
}

/** Hides the message of a foreign error: it may quote its input, and the execution's history shows it. */
function unexpected(error: unknown): Error {
  const name = error instanceof Error ? error.name : 'Error';
  return Object.assign(new Error(`An unexpected ${name}: look at the log of this stage.`), { name });
}
