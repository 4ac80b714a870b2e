import { createHash } from 'node:crypto';
import { CallFault } from '../call-fault.ts';
import type { Received } from '../wire/receive.ts';

const CHUNK_BYTES = 1 << 20;

/**
 * Why an answer counts only if the next answer to the same call is equal. Either an answer without a call
 * followed it, or it has lines and ends with its connection. Null where it counts.
 */
export function uncertaintyOf(received: Received, isOfLines: boolean): CallFault | null {
  const { status, body, isFollowed, hasEnd } = received;
  if (isFollowed)
    return new CallFault(
      'ANSWER_UNASKED',
      'the server sent a second answer, which no call had requested',
      status,
      textOf(received),
    );
  if (hasEnd || !isOfLines || body === null) return null;
  const { container, isLines } = body.scan;
  // A value in a line may have changed meanwhile. The number of lines shows whether one is missing.
  const lines = isLines ? (container?.children ?? 0) : 1;
  return new CallFault(
    'END_UNPROVEN',
    'nothing shows whether more lines were to come',
    status,
    `${lines} lines`,
  );
}

/** A text that differs between two answers. */
function textOf({ status, body, errorText }: Received): string {
  const hash = createHash('sha256').update(`${status} ${errorText}`);
  const bytes = body?.bytes ?? 0;
  for (let at = 0; at < bytes; at += CHUNK_BYTES)
    hash.update(body?.read(at, Math.min(bytes, at + CHUNK_BYTES)) ?? '');
  return hash.digest('hex');
}
