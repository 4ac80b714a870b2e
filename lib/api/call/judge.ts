import { createHash } from 'node:crypto';
import { CallFault } from '../call-fault.ts';
import { type ApiCode, messageOf } from '../codes.ts';
import { headerOf } from '../headers.ts';
import { ruleOfStatus, type Verdict, verdictOfFault } from '../policy.ts';
import type { FaultIn } from '../read/failure.ts';
import type { Received } from '../wire/receive.ts';
import { retryAfterMs } from './backoff.ts';

/** The judgement on one try of a call. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly status: number | null;
  /** Null if nothing is wrong. */
  readonly code: ApiCode | null;
  /** A sentence with the cure; empty if nothing is wrong. */
  readonly message: string;
  /** The wait in milliseconds that the server wants; null without one. */
  readonly retryAfterMs: number | null;
  /** Two answers with the verdict `again` are the same if this text is. */
  readonly answer?: string;
}

/** One try of a call. */
export interface Tried {
  readonly judgement: Judgement;
  /** Null where no answer came, or an unreadable one. */
  readonly received: Received | null;
  /** See Refusal. */
  readonly notBefore?: Date | null;
  /** Milliseconds before the next try; null if there is none. */
  readonly waitMs: number | null;
}

/** "API access is not enabled", "must be enabled first", "API disabled". */
const NOT_ENABLED =
  /not (been )?(yet )?(enabled|activated|available)|must (first )?be (enabled|activated)|disabled|deactivated/i;

/** Statuses with a due body; 204 and 205 have none. */
const BODY_DUE = new Set([200, 203, 206]);

/** Judges an answer by the policy and closes an unused body; `faultIn` finds an error in a status 200. */
export function judgeAnswer(
  received: Received,
  {
    now,
    faultIn,
    mayBeEmpty = false,
  }: { readonly now: Date; readonly faultIn: FaultIn; readonly mayBeEmpty?: boolean },
): Judgement {
  const { status, body } = received;
  const rule = ruleOfStatus(status);
  if (rule.verdict === 'ok') {
    if (body === null && BODY_DUE.has(status) && !mayBeEmpty)
      return judgeFault(new CallFault('BODY_EMPTY', 'the body is empty', status));
    const sign = faultIn({ headers: received.headers, body });
    if (sign === null) return fine(status);
    body?.close();
    return judgeFault(
      new CallFault(
        'API_ERROR',
        `the answer has ${sign}: the call failed, or the answer is incomplete`,
        status,
      ),
    );
  }
  body?.close();
  const code =
    status === 403 && NOT_ENABLED.test(received.errorText.replaceAll(/\s+/g, ' '))
      ? 'API_NOT_ENABLED'
      : rule.code;
  return {
    verdict: rule.verdict,
    status,
    code,
    message: sentence(`The server ${rule.message} (HTTP ${status})`, code),
    retryAfterMs: retryAfterMs(headerOf(received.headers, 'retry-after'), now.getTime()),
  };
}

/** Judges a try without a usable answer by the policy. */
export function judgeFault(fault: CallFault): Judgement {
  const { code, status, message } = fault;
  return {
    verdict: verdictOfFault(code),
    status,
    code,
    message: sentence(upper(message), code),
    retryAfterMs: null,
    ...(verdictOfFault(code) === 'again' && { answer: fault.answer ?? message }),
  };
}

function fine(status: number): Judgement {
  return { verdict: 'ok', status, code: null, message: '', retryAfterMs: null };
}

function sentence(what: string, code: ApiCode | null): string {
  return code === null ? `${what}.` : messageOf(what, code);
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

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
