import type { MiddlewareObj, Request } from '@middy/core';
import { apiClients, lambdaShare } from '../runtime/api-clients.ts';
import { keptSecrets } from './kept-secrets.ts';
import type { ApiContext, CallState } from './stage-context.ts';

export interface WithApiOptions {
  /** False for the stage that makes a run's first calls. */
  readonly follow: boolean;
}

/** Passes the handler clients of APIs, and closes them afterwards. */
export function withApi({
  follow,
}: WithApiOptions): MiddlewareObj<unknown, unknown, Error, ApiContext, CallState> {
  return {
    before: async ({ context, internal }) => {
      const { services } = context;
      const secrets = await keptSecrets();
      const clients = apiClients({ services, secrets, random: Math.random, share: lambdaShare, follow });
      internal.clients = clients;
      context.services = { ...services, client: clients.client };
    },
    after: close,
    onError: close,
  };
}

async function close({ internal }: Request<unknown, unknown, Error, ApiContext, CallState>): Promise<void> {
  const { clients } = internal;
  internal.clients = undefined;
  await clients?.[Symbol.asyncDispose]();
}
