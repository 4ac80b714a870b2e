import type { MiddlewareObj } from '@middy/core';
import type * as z from 'zod';
import type { CallState, LambdaContext } from './stage-context.ts';

/** Passes the handler its event if it fits the contract; another event is an error. */
export function parsed<Event>(
  contract: z.ZodType<Event>,
): MiddlewareObj<Event, unknown, Error, LambdaContext, CallState> {
  return {
    before: (request) => {
      request.event = contract.parse(request.event);
    },
  };
}
