import { sweep } from '#lib/contracts/sweep.ts';
import { lambdaHandler } from '#lib/lambda/lambda-handler.ts';

export const handler = lambdaHandler('sweep', sweep);
