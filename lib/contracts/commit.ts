import { commitRun } from '../commit/commit.ts';
import { type Committed, commitEvent } from '../run/payloads.ts';
import type { Services, Stage } from '../runtime/services.ts';

/** Replaces the old head by the new one. */
export const commit: Stage<Services, Committed> = (event, services) =>
  commitRun(commitEvent.parse(event), services);
