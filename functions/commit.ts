import { commitRun } from '#lib/commit/commit.ts';
import { afterCommit } from '#lib/lambda/after-commit.ts';
import { lambdaHandler } from '#lib/lambda/lambda-handler.ts';
import { type Committed, commitEvent } from '#lib/run/payloads.ts';
import type { Services, Stage } from '#lib/runtime/services.ts';

/** Puts the new head in the old one's place. */
export const commit: Stage<Services, Committed> = (event, services) =>
  commitRun(commitEvent.parse(event), services);

export const handler = lambdaHandler('commit', (event, services) =>
  commit(event, { ...services, afterCommit: (head) => afterCommit(head, services) }),
);
