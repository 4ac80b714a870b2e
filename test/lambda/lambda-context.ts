import type { StageContext } from '#lib/lambda/stage-context.ts';

/** What Lambda hands to a function that has a minute left; its services are made on the way to the handler. */
export function lambdaContext(): StageContext {
  const unmade = undefined as unknown as StageContext['services'];
  return { awsRequestId: '1', getRemainingTimeInMillis: () => 60_000, services: unmade };
}
