import middy from '@middy/core';
import { removeLeftCopies } from '../aws/left-copies.ts';
import { s3Lake } from '../aws/s3-lake.ts';
import { ExportError } from '../errors.ts';
import type { Environment } from '../runtime/environment.ts';
import { environment } from '../runtime/environment.ts';
import { describeError, log } from '../runtime/log.ts';
import { type ProgressEvent, PUBLISH_WIDTH, type Services } from '../runtime/services.ts';

/** The part of Lambda's context that a stage uses. */
interface LambdaContext {
  readonly awsRequestId: string;
  getRemainingTimeInMillis(): number;
}

export type LambdaHandler = (event: unknown, context: LambdaContext) => Promise<unknown>;

export interface LambdaServices extends Services {
  readonly environment: Environment;
}

/** Kept back to store the answers before Lambda kills the invocation: 64 MiB at a slow 8 MiB/s take 8 s. */
const LAMBDA_RESERVE_MS = 10_000;
/** The memory of Node and of the SDK's buffers; DuckDB has the rest. */
const NODE_MIB = 512;
/** @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html : one vCPU for each 1,769 MB. */
const MIB_A_THREAD = 1769;

/**
 * A stage as Lambda calls it, with services made from its environment: the lake, the memory for DuckDB, the time that is
 * left. Logs begin and end. The name of an error is its code, by which the state machine knows it.
 */
export function lambdaHandler(
  stage: string,
  run: (event: unknown, services: LambdaServices) => Promise<unknown>,
): LambdaHandler {
  const handle = async (event: unknown, context: LambdaContext): Promise<unknown> => {
    const names = { stage, ...namesIn(event), requestId: context.awsRequestId };
    const counts = new Map<string, number>();
    const env = environment();
    const started = performance.now();
    const took = () => ({
      durationMs: Math.round(performance.now() - started),
      ...Object.fromEntries(counts),
    });
    await removeLeftCopies();
    await using lake = s3Lake(env.lake, env);
    log('info', 'begins', names);
    try {
      const answer = await run(event, {
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
      log('info', 'ends', { ...names, ...took() });
      return answer;
    } catch (error) {
      log('error', 'fails', { ...names, ...took(), error: describeError(error) });
      throw error instanceof ExportError ? error : unexpected(error);
    }
  };
  return middy().handler(handle as never) as unknown as LambdaHandler;
}

/** The run and the source of an event, for the log. */
function namesIn(event: unknown): { readonly run?: string; readonly source?: string } {
  const text = (name: string): string | undefined => {
    const value: unknown = typeof event === 'object' && event !== null ? Reflect.get(event, name) : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  const [run, source] = [text('runId'), text('source')];
  return { ...(run !== undefined && { run }), ...(source !== undefined && { source }) };
}

/** Adds an event of progress to the sums, which the line at the end of the stage shows. */
function count(counts: Map<string, number>, progress: ProgressEvent): void {
  const add = (name: string, more: number) => counts.set(name, (counts.get(name) ?? 0) + more);
  if (progress.stage === 'list') add('records', progress.records);
  if (progress.stage === 'listed') add('items', progress.items);
  if (progress.stage === 'collect') add('done', progress.done);
}

/** Hides the message of a foreign error: it may quote its input, and the execution's history shows it. */
function unexpected(error: unknown): Error {
  const name = error instanceof Error ? error.name : 'Error';
  return Object.assign(new Error(`An unexpected ${name}: look at the log of this stage.`), { name });
}
