import { lambdaHandler } from '#lib/lambda/lambda-handler.ts';
import { refuseLate } from '#lib/lambda/refuse-late.ts';

/** Fails where no run was committed in time, which an alarm hears; asked every hour. */
export const handler = lambdaHandler('watch', async (_event, { lake, now, environment }) => {
  await refuseLate({ lake, now: now(), lateAfterHours: environment.lateAfterHours });
  return {};
});
