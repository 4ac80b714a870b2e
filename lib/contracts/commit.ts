import { commitRun } from '../commit/commit.ts';
import { type Committed, commitEvent } from '../run/payloads.ts';
import type { Services, Stage } from '../runtime/services.ts';

/** Puts the new head in the old one's place. */
export const commit: Stage<Services, Committed> = (event, services) =>
  commitRun(commitEvent.parse(event), services);
