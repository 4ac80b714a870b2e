import type { SecretStore } from '../config/secrets.ts';
import { ExportError } from '../errors.ts';
import type { NoteSaid } from '../sources/note.ts';
import type { Target } from '../sources/resources.ts';
import type { Body } from './body/body.ts';
import { RETRY_AFTER_MAX_MS } from './call/backoff.ts';
import { type Call, type Caller, CallRefused, newCall } from './call/call.ts';
import { createCalls } from './call/calls.ts';
import { createCredentials } from './call/credentials.ts';
import type { Tried } from './call/judge.ts';
import { createLimiter, type Pace } from './call/limiter.ts';
import { createTries, type Question } from './call/tries.ts';
import { createTurns } from './call/turns.ts';
import { systemClock } from './clock.ts';
import type { ApiCode } from './codes.ts';
import type { HeaderFields } from './headers.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { createTransport, type Transport } from './wire/transport.ts';

interface Called {
  /** The status of the last answer; null if none came. */
  readonly status: number | null;
  /** HTTP requests, with retries and redirects. */
  readonly attempts: number;
  /** When the last answer was complete, or the client gave up. */
  readonly answeredAt: Date;
  /** Milliseconds from the last call's beginning to its answer's end. */
  readonly latencyMs: number;
}

/** A 2xx with a JSON body, or without one (204). The caller closes the body. */
export interface Answer extends Called {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: HeaderFields;
  readonly body: Body | null;
}

/** The end of an item without an answer. */
export interface Refusal extends Called {
  readonly kind: 'refusal';
  readonly outcome: 'gone' | 'denied' | 'failed';
  readonly code: ApiCode;
  /** What happened and the cure, without URL, body or secret. */
  readonly message: string;
  /** Before this time the server wants no further call for the item; null without such a wish. */
  readonly notBefore: Date | null;
  /** The beginning of its body, without secrets; empty without a body. */
  readonly text: string;
}

export type Reply = Answer | Refusal;

/** Without `graceMs` no call ends later. Without `waitsMost` a call waits for 15 minutes at most. */
export interface ApiClientOptions
  extends Pick<Caller, 'source' | 'now' | 'random' | 'timeLeft'>,
    Partial<Pick<Caller, 'graceMs' | 'waitsMost' | 'clock'>> {
  readonly secrets: SecretStore;
  /** @default the only client of the source, and its first */
  readonly pace?: Pace;
  readonly limits?: Partial<Limits>;
  /** The address of the proxy to the source. @default none */
  readonly proxy?: string | undefined;
}

export interface GetOptions extends Question {
  /** The most bytes of the decoded body. */
  readonly maxBytes: number;
  /** Milliseconds for each try, with connecting. */
  readonly timeoutMs: number;
}

export interface ApiStats {
  /** HTTP requests, with retries and redirects. */
  readonly requests: number;
  readonly retries: number;
  /** The number of answers 429 and 503. */
  readonly throttled: number;
}

/** Calls a source's API within its rate, and repeats by the policy. The key goes nowhere else. */
export interface ApiClient extends Pick<Transport, 'rest' | 'unasked'> {
  /** Tries until an answer comes or the policy ends it. Throws CallRefused where the source is refused. */
  readonly get: (target: Target, options: GetOptions) => Promise<Reply>;
  readonly stats: () => ApiStats;
  /** The minutes by which its answers' nearest Date is ahead of this clock; undefined without a Date. */
  readonly minutesAhead: () => number | undefined;
  /** True where the server's wait is longer than the time: a call would fail without being sent. */
  readonly mustWait: () => boolean;
  /** Why the whole source is refused; every further call throws it. */
  readonly refused: () => ExportError | undefined;
  readonly close: () => Promise<void>;
}

/** A client of one source; close it. Throws UsageError CA_FILE_INVALID. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { source, timeLeft, pace, waitsMost = RETRY_AFTER_MAX_MS, clock = systemClock } = options;
  const { concurrency, requestsPerSecond } = source;
  const patience = (): number => Math.min(timeLeft(), RETRY_AFTER_MAX_MS);
  const limiter = createLimiter({ concurrency, requestsPerSecond, clock, patience, ...(pace && { pace }) });
  const transport = createTransport(source, {
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    clock,
    proxy: options.proxy,
  });
  const credentials = createCredentials(source, { secrets: options.secrets, clock });
  const closed = new AbortController();
  const turn = createTurns();
  let retries = 0;
  let refused: ExportError | undefined;
  const refuse = (why: ExportError): void => {
    refused ??= why;
  };
  const pause = (ms: number): Promise<void> => {
    retries += 1;
    return clock.sleep(ms, closed.signal);
  };
  const shared = { clock, limiter, transport, credentials, refuse, refused: () => refused, pause, waitsMost };
  const caller = { graceMs: 0, ...options, ...shared };
  const calls = createCalls(caller);
  const answer = createTries(caller, calls);

  async function get(target: Target, question: GetOptions): Promise<Reply> {
    const call = newCall({ target, ...question });
    try {
      const tried = await answer(call, question);
      await turn();
      return replyOf(tried, call);
    } catch (error) {
      if (!(error instanceof ExportError)) throw error;
      refuse(error);
      throw new CallRefused(error, call);
    }
  }

  function replyOf({ judgement, received, notBefore = null }: Tried, call: Call): Reply {
    const { attempts, latencyMs } = call;
    const called = { attempts, latencyMs, answeredAt: options.now() };
    const { verdict, code, message, status } = judgement;
    if (code === null && received !== null) return { kind: 'answer', ...called, ...received };
    received?.body?.close();
    const outcome = verdict === 'gone' || verdict === 'denied' ? verdict : 'failed';
    const refusal = { outcome, code: code ?? 'HTTP_4XX', message, notBefore } as const;
    return { kind: 'refusal', ...called, status, ...refusal, text: received?.errorText ?? '' };
  }

  return {
    get,
    stats: () => ({ ...calls.stats(), retries }),
    minutesAhead: calls.minutesAhead,
    mustWait: () => limiter.pausedMs() > patience(),
    refused: () => refused,
    ...{ rest: transport.rest, unasked: transport.unasked },
    close: async () => {
      closed.abort();
      limiter.close();
      await transport.close();
    },
  };
}

/** A client for a piece of work that must get only the answers to its own calls. */
export interface ProvenClient extends ApiClient {
  /** True as soon as one of its answers may be another call's: the work is in vain. */
  readonly isInVain: () => boolean;
  /**
   * Waits until its connections have been idle for a round trip, which reveals every extra answer. False if
   * one of its answers may be another call's. The caller then repeats the work, on new connections.
   */
  readonly isProven: () => Promise<boolean>;
}

export function provenClient(client: ApiClient): ProvenClient {
  const before = client.unasked();
  const isInVain = () => client.unasked() > before;
  return {
    ...client,
    isInVain,
    isProven: async () => {
      await client.rest();
      return !isInVain();
    },
  };
}

/** The note on the answers of a repeated piece of work. */
export const ASKED_AGAIN: NoteSaid = {
  code: 'ANSWER_UNASKED',
  says: 'The server sent an answer that no call had requested, so calls were made again on new connections',
};
