import { lambdaHandler } from '#lib/lambda/lambda-handler.ts';
import { readMaskKey } from '#lib/lambda/mask-key.ts';
import { planRun } from '#lib/plan/plan.ts';
import { type Plan, planEvent } from '#lib/run/payloads.ts';
import type { Services, Stage } from '#lib/runtime/services.ts';

/** Decides outcomes, schema and the units of publishing over the whole run. */
export const plan: Stage<Services, Plan> = (event, services) => planRun(planEvent.parse(event), services);

export const handler = lambdaHandler('plan', (event, services) =>
  plan(event, { ...services, maskKey: readMaskKey }),
);
