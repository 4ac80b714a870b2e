import { planRun } from '../plan/plan.ts';
import { type Plan, planEvent } from '../run/payloads.ts';
import type { Services, Stage } from '../runtime/services.ts';

/** Decides outcomes, schema and the units of publishing over the whole run. */
export const plan: Stage<Services, Plan> = (event, services) => planRun(planEvent.parse(event), services);
