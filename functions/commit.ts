import { commit } from '#lib/commit/commit.ts';
import { afterCommit } from '#lib/lambda/after-commit.ts';
import { stageLambda } from '#lib/lambda/stage-lambda.ts';

export const handler = stageLambda('commit').handler((event, { services }) =>
  commit(event, { ...services, afterCommit: (head) => afterCommit(head, services) }),
);
