import type { MiddlewareObj } from '@middy/core';
import { ExportError } from '../errors.ts';
import { describeError, log } from '../runtime/log.ts';
import type { CallState, LambdaContext } from './stage-context.ts';

/** Logs the begin and the end of each call, with the time that it took and what it did. A foreign error leaves without its words. */
export function logged(stage: string): MiddlewareObj<unknown, unknown, Error, LambdaContext, CallState> {
  return {
    before: ({ event, context, internal }) => {
      internal.names = { stage, ...namesIn(event), requestId: context.awsRequestId };
      internal.startedMs = performance.now();
      internal.counts = new Map();
      log('info', 'begins', internal.names);
    },
    after: ({ internal }) => log('info', 'ends', done(internal)),
    onError: (request) => {
      const { error, internal } = request;
      log('error', 'fails', { ...done(internal), error: describeError(error) });
      request.error = error instanceof ExportError ? error : unexpected(error);
    },
  };
}

/** Of whom the last line of a call is, how long it took and what it did. */
function done({ names, startedMs, counts }: CallState) {
  return {
    ...names,
    durationMs: Math.round(performance.now() - startedMs),
    ...Object.fromEntries(counts),
  };
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

/** Hides the message of a foreign error: it may quote its input, and the execution's history shows it. */
function unexpected(error: unknown): Error {
  const name = error instanceof Error ? error.name : 'Error';
  return Object.assign(new Error(`An unexpected ${name}: look at the log of this stage.`), { name });
}
