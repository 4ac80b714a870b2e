import { createHash } from 'node:crypto';
import { CallFault } from '../call-fault.ts';
import type { Received } from '../wire/receive.ts';

const CHUNK_BYTES = 1 << 20;

/** Why an answer counts only if the next one to the same call is equal: one without a call followed it. Else null. */
export function uncertaintyOf(received: Received): CallFault | null {
  if (!received.isFollowed) return null;
  const says = 'the server sent a second answer, which no call had requested';
  return new CallFault('ANSWER_UNASKED', says, received.status, textOf(received));
}

/** A text that differs between two answers. */
function textOf({ status, body, errorText }: Received): string {
  const hash = createHash('sha256').update(`${status} ${errorText}`);
  const bytes = body?.bytes ?? 0;
  for (let at = 0; at < bytes; at += CHUNK_BYTES)
    hash.update(body?.read(at, Math.min(bytes, at + CHUNK_BYTES)) ?? '');
  return hash.digest('hex');
}
