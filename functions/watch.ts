import { invokeLater } from '#lib/aws/invoke-later.ts';
import { refuseLate } from '#lib/lambda/refuse-late.ts';
import { stageLambda } from '#lib/lambda/stage-lambda.ts';
import { untoldCommit } from '#lib/news/untold.ts';
import { log } from '#lib/runtime/log.ts';

/** Every hour: has an unreported commit reported, and fails if no run was committed in time, for the alarm. */
export const handler = stageLambda('watch').handler(async (_event, { services }) => {
  const { lake, now, environment } = services;
  const { newsFunction, stateMachineArn, lateAfterHours } = environment;
  const untold = await untoldCommit({ lake, now, stateMachineArn });
  if (untold !== undefined) {
    log('info', 'tells a commit that had no event', { stage: 'watch', ...untold });
    await invokeLater(newsFunction, { detail: untold });
  }
  await refuseLate({ lake, now: now(), lateAfterHours });
  return {};
});
