import { stageLambda } from '#lib/lambda/stage-lambda.ts';
import { sweep } from '#lib/sweep/sweep.ts';

export const handler = stageLambda('sweep').handler((event, { services }) => sweep(event, services));
