import type { MiddlewareObj } from '@middy/core';
import { keptSecrets } from './kept-secrets.ts';
import type { CallState, StageContext } from './stage-context.ts';

/** Lets the handler read the key of the masks; a role may read it if the config masks columns. */
export function withMaskKey(): MiddlewareObj<unknown, unknown, Error, StageContext, CallState> {
  const maskKey = async (name: string) => await (await keptSecrets()).readKey(name);
  return {
    before: ({ context }) => {
      context.services = { ...context.services, maskKey };
    },
  };
}
