import { invokeLater } from '#lib/aws/invoke-later.ts';
import { lambdaHandler } from '#lib/lambda/lambda-handler.ts';
import { refuseLate } from '#lib/lambda/refuse-late.ts';
import { untoldCommit } from '#lib/news/untold.ts';
import { log } from '#lib/runtime/log.ts';

/** Has a commit told of which nobody heard, and fails where no run was committed in time, which an alarm hears; asked every hour. */
export const handler = lambdaHandler('watch', async (_event, { lake, now, environment }) => {
  const { newsFunction, stateMachineArn, lateAfterHours } = environment;
  const untold = await untoldCommit({ lake, now: now(), stateMachineArn });
  if (untold !== undefined) {
    log('info', 'tells a commit of which no event came', { stage: 'watch', ...untold });
    await invokeLater(newsFunction, { detail: untold });
  }
  await refuseLate({ lake, now: now(), lateAfterHours });
  return {};
});
