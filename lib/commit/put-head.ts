import { commitHead, type Head, type StoredHead } from '../lake/head.ts';
import { releaseLease } from '../lake/lease.ts';
import type { Attempt, AttemptName } from '../run-id.ts';
import type { Services } from '../runtime/services.ts';
import { expireRaw, type Retention } from './expire-raw.ts';
import { forgetAttempt } from './forget-attempt.ts';
import { releasedBy, removeReleased } from './released.ts';

export interface PutHeadOptions {
  /** The committed head, with its etag from the attempt's begin. */
  readonly current: StoredHead | undefined;
  readonly next: Omit<Head, 'released'>;
  /** The attempt that holds the lease. */
  readonly lease: Attempt;
  /** Other attempts, and this one, with files that the next head does not name. @default none */
  readonly unnamed?: readonly AttemptName[];
  readonly retention: Retention;
  /** Column types that the operator chose with `schema apply`. Without them the earlier ones stay. */
  readonly types?: Head['types'];
}

/**
 * The only commit: replaces the current head by the next and releases the lease. Then it removes the
 * attempt's working state and files that no head has named for a day. Throws COMMIT_FENCED where another
 * commit came between.
 */
export async function putHead(services: Services, options: PutHeadOptions): Promise<Head> {
  const { lake } = services;
  const { current, next, unnamed = [], retention } = options;
  const now = services.now();
  if (current !== undefined) await removeReleased(lake, { head: current.head, next, now });
  const released = [...releasedBy({ current: current?.head, next, unnamed, now })];
  const head: Head = { ...next, types: options.types ?? current?.head.types, released };
  await commitHead(lake, head, current?.etag);
  await services.afterCommit?.(head);
  await releaseLease(lake, options.lease);
  await forgetAttempt(lake, head);
  await expireRaw({ lake, head, retention, now });
  return head;
}
