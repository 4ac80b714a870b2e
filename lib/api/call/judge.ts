import { CallFault } from '../call-fault.ts';
import { type ApiCode, messageOf } from '../codes.ts';
import { headerOf } from '../headers.ts';
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
  { now, faultIn }: { readonly now: Date; readonly faultIn: FaultIn },
): Judgement {
  const { status, body } = received;
  const rule = ruleOfStatus(status);
  if (rule.verdict === 'ok') {
    if (body === null && BODY_DUE.has(status))
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

/**
 * What an answer or fault means for the item. `retry`: the call is tried again. `again`: the same, until an
 * answer comes twice in a row. `stop`: it has failed.
 */
export type Verdict = 'ok' | 'gone' | 'denied' | 'retry' | 'again' | 'stop';

/** Without a code nothing is wrong. The message is what happened, as the end of a sentence. */
type PolicyRow = readonly [from: number, to: number, verdict: Verdict, code: ApiCode | null, message: string];

/** The first row with a range that holds the status decides. */
export const STATUS_POLICY: readonly PolicyRow[] = [
  [200, 200, 'ok', null, 'answered'],
  [203, 203, 'ok', null, 'answered through a proxy'],
  [204, 205, 'ok', null, 'answered that there is nothing'],
  [206, 206, 'ok', null, 'answered with a part'],
  [202, 202, 'retry', 'HTTP_202', 'says that the answer is not ready yet'],
  [200, 299, 'stop', 'HTTP_2XX', 'answered with something new'],
  [300, 399, 'stop', 'HTTP_3XX', 'redirects without saying where, or too often'],
  [400, 400, 'stop', 'HTTP_400', 'calls the request bad'],
  [401, 401, 'denied', 'UNAUTHORIZED', 'refuses the key here'],
  [403, 403, 'denied', 'FORBIDDEN', 'forbids this to the key'],
  [404, 404, 'gone', 'NOT_FOUND', 'does not know it'],
  [405, 405, 'stop', 'HTTP_405', 'does not allow GET here'],
  [408, 408, 'retry', 'HTTP_408', 'waited too long for the request'],
  [410, 410, 'gone', 'NOT_FOUND', 'says that it is gone'],
  [422, 422, 'stop', 'HTTP_422', 'misses or refuses a parameter'],
  [425, 425, 'retry', 'HTTP_425', 'says that it is too early'],
  [429, 429, 'retry', 'RATE_LIMITED', 'says that there are too many calls'],
  [400, 499, 'stop', 'HTTP_4XX', 'refuses the call'],
  [500, 500, 'retry', 'HTTP_500', 'failed'],
  [502, 502, 'retry', 'HTTP_502', 'failed behind its gateway'],
  [503, 503, 'retry', 'HTTP_503', 'is not available'],
  [504, 504, 'retry', 'HTTP_504', 'was too slow for its gateway'],
  [500, 599, 'retry', 'HTTP_5XX', 'failed'],
  [0, 999, 'stop', 'HTTP_4XX', 'answered with a status that HTTP does not have'],
];

/** How to react to a missing answer or an unusable body. A call without time left is not tried again. */
export const FAULT_POLICY: Readonly<Partial<Record<ApiCode, Verdict>>> = {
  BODY_EMPTY: 'retry',
  BODY_NOT_JSON: 'again',
  BODY_NOT_TEXT: 'again',
  BODY_TRUNCATED: 'retry',
  CONNECTION_FAILED: 'retry',
  API_ERROR: 'retry',
  PROXY_FAILED: 'retry',
};

/** What a fault means for its call: it ends it, unless another try may help. */
function verdictOfFault(code: ApiCode): Verdict {
  return FAULT_POLICY[code] ?? 'stop';
}

/** What a status of three digits means. */
export function ruleOfStatus(status: number) {
  const row = STATUS_POLICY.find(([from, to]) => status >= from && status <= to);
  const [, , verdict = 'stop', code = null, message = ''] = row ?? [];
  return { verdict, code, message };
}
