import middy from '@middy/core';
import { logged } from './logged.ts';
import { withServices } from './with-services.ts';

/**
 * A stage as Lambda calls it, before its handler is put in: its log begins and ends, its services are made from its
 * environment and closed behind it. The name of an error is its code, by which the state machine knows it.
 */
export function stageLambda(stage: string) {
  return middy<unknown, unknown>().use(logged(stage)).use(withServices());
}
