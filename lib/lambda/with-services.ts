import type { MiddlewareObj, Request } from '@middy/core';
import { removeLeftCopies } from '../aws/left-copies.ts';
import { s3Lake } from '../aws/s3-lake.ts';
import { environment } from '../runtime/environment.ts';
import { type ProgressEvent, PUBLISH_WIDTH } from '../runtime/services.ts';
import type { CallState, StageContext } from './stage-context.ts';

/** Kept back to store the answers before Lambda kills the invocation: 64 MiB at a slow 8 MiB/s take 8 s. */
const LAMBDA_RESERVE_MS = 10_000;
/** The memory of Node and of the SDK's buffers; DuckDB has the rest. */
const NODE_MIB = 512;
/** @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html : one vCPU for each 1,769 MB. */
const MIB_A_THREAD = 1769;

/**
 * Passes the handler its services: the lake, the memory for DuckDB, the time that is left. Removes what a killed call
 * left in /tmp, and closes the lake afterwards.
 */
export function withServices(): MiddlewareObj<unknown, unknown, Error, StageContext, CallState> {
  return {
    before: async ({ context, internal }) => {
      await removeLeftCopies();
      const env = environment();
      const lake = s3Lake(env.lake, env);
      internal.lake = lake;
      context.services = {
        environment: env,
        lake,
        now: () => new Date(),
        timeLeft: () => context.getRemainingTimeInMillis() - LAMBDA_RESERVE_MS,
        memoryLimitMiB: Math.max(256, env.memoryMiB - NODE_MIB),
        threads: Math.max(1, Math.min(6, Math.round(env.memoryMiB / MIB_A_THREAD))),
        publishWidth: PUBLISH_WIDTH,
        views: env.views,
        onProgress: (progress) => count(internal.counts, progress),
      };
    },
    after: close,
    onError: close,
  };
}

async function close({ internal }: Request<unknown, unknown, Error, StageContext, CallState>): Promise<void> {
  const { lake } = internal;
  internal.lake = undefined;
  await lake?.[Symbol.asyncDispose]();
}

/** Adds an event of progress to the sums, which the line at the end of the stage shows. */
function count(counts: Map<string, number>, progress: ProgressEvent): void {
  const add = (name: string, more: number) => counts.set(name, (counts.get(name) ?? 0) + more);
  if (progress.stage === 'list') add('records', progress.records);
  if (progress.stage === 'listed') add('items', progress.items);
  if (progress.stage === 'collect') add('done', progress.done);
}
