import type { LambdaContext } from '#lib/lambda/stage-lambda.ts';

/** What Lambda hands to a function that has a minute left. */
export function lambdaContext(): LambdaContext {
  return { awsRequestId: '1', getRemainingTimeInMillis: () => 60_000 };
}
