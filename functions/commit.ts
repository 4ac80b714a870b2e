import { commit } from '#lib/contracts/commit.ts';
import { afterCommit } from '#lib/lambda/after-commit.ts';
import { lambdaHandler } from '#lib/lambda/lambda-handler.ts';

export const handler = lambdaHandler('commit', (event, services) =>
  commit(event, { ...services, afterCommit: (head) => afterCommit(head, services) }),
);
