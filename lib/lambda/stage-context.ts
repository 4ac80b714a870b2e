import type { Environment } from '../runtime/environment.ts';
import type { LogContext } from '../runtime/log.ts';
import type { ApiServices, Services } from '../runtime/services.ts';

/** The part of Lambda's context that a stage uses. */
export interface LambdaContext {
  readonly awsRequestId: string;
  getRemainingTimeInMillis(): number;
}

export interface LambdaServices extends Services {
  readonly environment: Environment;
}

/** What a handler finds in its context. */
export interface StageContext extends LambdaContext {
  services: LambdaServices;
}

/** The same in a stage that talks to APIs. */
export interface ApiContext extends LambdaContext {
  services: LambdaServices & ApiServices;
}

/** What the middlewares of one call hand to each other. */
export interface CallState extends Record<string, unknown> {
  /** What the stage has done so far, for the line at its end. */
  counts: Map<string, number>;
  /** Of each line of the log. */
  names: LogContext & Readonly<Record<string, unknown>>;
  startedMs: number;
  /** What is to be closed; none where the call came not so far, or has closed it. */
  lake?: AsyncDisposable | undefined;
  clients?: AsyncDisposable | undefined;
}
