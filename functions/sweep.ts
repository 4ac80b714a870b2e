import { sweep } from '#lib/contracts/sweep.ts';
import { stageLambda } from '#lib/lambda/stage-lambda.ts';

export const handler = stageLambda('sweep').handler((event, { services }) => sweep(event, services));
