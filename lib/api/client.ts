import type { SecretStore } from '../config/secrets.ts';
import { ExportError } from '../errors.ts';
import type { Target } from '../sources/resources.ts';
import type { Source } from '../sources/source.ts';
import { toTheSecond } from '../time.ts';
import { backoffMs, MAX_ATTEMPTS, RETRY_AFTER_MAX_MS } from './call/backoff.ts';
import { CallRefused } from './call/call-refused.ts';
import { type Call, createCalls, newCall } from './call/calls.ts';
import { createCredentials } from './call/credentials.ts';
import { type Judgement, judgeAnswer, judgeFault } from './call/judge.ts';
import { createLimiter, type Pace } from './call/limiter.ts';
import { createTransport } from './call/transport.ts';
import type { Received } from './call/transport-call.ts';
import { createTurns } from './call/turns.ts';
import { CallFault, faultOf, toldWhere } from './call-fault.ts';
import { type Clock, systemClock } from './clock.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { UNUSABLE } from './policy.ts';
import { type FaultIn, faultInAnswer } from './records/error-in-body.ts';
import type { Reply } from './reply.ts';

export interface ApiClientOptions {
  readonly source: Source;
  readonly secrets: SecretStore;
  /** The time of answers, and for Retry-After dates. */
  readonly now: () => Date;
  /** At least 0, below 1. */
  readonly random: () => number;
  /** Milliseconds that calls may still take. */
  readonly timeLeft: () => number;
  readonly clock?: Clock;
  /** @default the only client of the source, and its first */
  readonly pace?: Pace;
  readonly limits?: Partial<Limits>;
  /** The longest Retry-After, ms, for which a call itself waits. @default 15 minutes */
  readonly waitsMost?: number;
}

export interface GetOptions {
  /** Of the decoded body. */
  readonly maxBytes: number;
  /** For each try, with connecting. */
  readonly timeoutMs: number;
  /** Finds the error that a body with status 200 tells. @default a member beside a list that is named like an error */
  readonly faultIn?: FaultIn;
  /** An answer without a byte is one without records: an object a line, and no line. @default false */
  readonly mayBeEmpty?: boolean;
  /** Whether an answer that is none of the API's, such as a web page, is asked for again at once. @default false */
  readonly retriesUnusable?: boolean;
}

export interface ApiStats {
  /** HTTP requests, with retries and redirects. */
  readonly requests: number;
  readonly retries: number;
  /** Answers 429 and 503. */
  readonly throttled: number;
}

/** Calls a source's API within its rate and concurrency, repeats by the policy, and sends the key nowhere else. */
export interface ApiClient {
  /** Tries until there is an answer, or the policy ends the call. Throws CallRefused once the whole source is refused. */
  readonly get: (target: Target, options: GetOptions) => Promise<Reply>;
  readonly stats: () => ApiStats;
  /** The server asks to wait for longer than there is time: a call would fail without being sent. */
  readonly mustWait: () => boolean;
  /** Why the whole source is refused; every further call throws it. */
  readonly refused: () => ExportError | undefined;
  readonly close: () => Promise<void>;
}

interface Try {
  readonly judgement: Judgement;
  readonly received: Received | null;
  /** See Refusal. */
  readonly notBefore?: Date | null;
}

/** A try, and the milliseconds before the next one; null if there is no next one. */
interface Waiting extends Try {
  readonly waitMs: number | null;
}

/** A client of one source; close it. Throws UsageError CA_FILE_INVALID. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { source, random, timeLeft, waitsMost = RETRY_AFTER_MAX_MS } = options;
  const clock = options.clock ?? systemClock;
  const { concurrency, requestsPerSecond } = source;
  const patience = (): number => Math.min(timeLeft(), RETRY_AFTER_MAX_MS);
  const { pace } = options;
  const limiter = createLimiter({ concurrency, requestsPerSecond, clock, patience, ...(pace && { pace }) });
  const transport = createTransport(source, { ...DEFAULT_LIMITS, ...options.limits });
  const credentials = createCredentials(source, { secrets: options.secrets, clock });
  const calls = createCalls({
    ...options,
    clock,
    limiter,
    transport,
    credentials,
    refused: () => refused,
    refuse: (why) => {
      refused ??= why;
    },
  });
  const closed = new AbortController();
  const turn = createTurns();
  let retries = 0;
  let refused: ExportError | undefined;

  /** One try: its judgement, and the answer if one came. Throws ExportError if the whole source is refused. */
  async function tryOnce(call: Call, question: GetOptions): Promise<Try> {
    if (refused !== undefined) throw refused;
    try {
      const received = await calls.send(call);
      return { judgement: judged(received, question), received };
    } catch (error) {
      if (!(error instanceof CallFault)) throw error;
      // The limiter lets nobody in before the source's pause is over.
      if (error.code === 'RATE_LIMITED')
        return { ...tooEarly(limiter.pausedMs(), error.status), notBefore: null };
      const judgement = judgeFault(toldWhere(error, source));
      if (judgement.code !== 'TLS_REFUSED') return { judgement, received: null };
      const message = `source ${source.name}: ${judgement.message}`;
      throw new ExportError({ code: judgement.code, message });
    }
  }

  function judged(received: Received, question: GetOptions): Judgement {
    const { faultIn = faultInAnswer, mayBeEmpty = false } = question;
    try {
      return judgeAnswer(received, { now: options.now(), faultIn, mayBeEmpty });
    } catch (error) {
      received.body?.close();
      throw faultOf(error, received.status);
    }
  }

  /** Ends the call at once if there is no time for its Retry-After. */
  function withinTime(tried: Try): Try {
    const { verdict, retryAfterMs, status } = tried.judgement;
    if (verdict !== 'retry' || retryAfterMs === null) return tried;
    if (retryAfterMs <= Math.min(patience(), waitsMost)) return tried;
    return tooEarly(retryAfterMs, status);
  }

  /** The end of a call that the server does not want before a time. */
  function tooEarly(waitMs: number, status: number | null): Try {
    // Rounded up, as the header has whole seconds.
    const notBefore = new Date(Math.ceil((options.now().getTime() + waitMs) / 1000) * 1000);
    const says = `the server asks to wait until ${toTheSecond(notBefore)}, which is longer than a call can wait`;
    const judgement = judgeFault(new CallFault('RATE_LIMITED', says, status));
    return { judgement, received: null, notBefore };
  }

  /** Milliseconds before the next try; null if there is no next one. */
  function waitOf({ verdict, retryAfterMs }: Judgement, tries: number): number | null {
    if (verdict !== 'retry') return null;
    const wait = retryAfterMs ?? backoffMs(tries, random);
    return wait > timeLeft() ? null : wait;
  }

  function pause(ms: number): Promise<void> {
    retries += 1;
    return clock.sleep(ms, closed.signal);
  }

  async function get(target: Target, question: GetOptions): Promise<Reply> {
    const call = newCall({ target, ...question });
    let tries = 0;
    const tryNext = async (): Promise<Waiting> => {
      const tried = withinTime(await tryOnce(call, question));
      tries += 1;
      const isOver = !question.retriesUnusable && UNUSABLE.has(tried.judgement.code);
      return { ...tried, waitMs: isOver ? null : waitOf(tried.judgement, tries) };
    };
    try {
      const first = await tryNext();
      await turn();
      return replyOf(first.waitMs === null ? first : await repeat(first, tryNext), call);
    } catch (error) {
      if (!(error instanceof ExportError)) throw error;
      refused ??= error;
      throw new CallRefused(error, call);
    }
  }

  /**
   * Further tries, counted by ky, until one needs no next. It costs 150 µs, and few calls need it; ky is loaded by the first,
   * for it brings Node's own fetch.
   */
  async function repeat(first: Waiting, tryNext: () => Promise<Waiting>): Promise<Try> {
    let last = first;
    const fetch = async (): Promise<Response> => {
      last = await tryNext();
      if (last.waitMs !== null) throw new Again();
      // The real answer is kept apart, for ky needs no body and no key.
      return new Response(null, { status: 204 });
    };
    const [{ default: ky }] = await Promise.all([import('ky'), pause(first.waitMs ?? 0)]);
    try {
      await ky.get(source.baseUrl, {
        fetch,
        timeout: false,
        retry: {
          limit: MAX_ATTEMPTS - 2,
          delay: () => 0,
          shouldRetry: ({ error }) => error instanceof Again,
        },
        hooks: { beforeRetry: [() => pause(last.waitMs ?? 0)] },
      });
    } catch (error) {
      if (!(error instanceof Again)) throw error;
    }
    return last;
  }

  function replyOf({ judgement, received, notBefore = null }: Try, call: Call): Reply {
    const called = { attempts: call.attempts, latencyMs: call.latencyMs, answeredAt: options.now() };
    const { verdict, code, message, status } = judgement;
    if (code === null && received !== null) {
      return {
        kind: 'answer',
        ...called,
        status: received.status,
        headers: received.headers,
        body: received.body,
      };
    }
    const outcome = verdict === 'gone' || verdict === 'denied' ? verdict : 'failed';
    const text = received?.errorText ?? '';
    return {
      kind: 'refusal',
      ...called,
      status,
      outcome,
      code: code ?? 'HTTP_4XX',
      message,
      notBefore,
      text,
    };
  }

  return {
    get,
    stats: () => ({ ...calls.stats(), retries }),
    mustWait: () => limiter.pausedMs() > patience(),
    refused: () => refused,
    close: async () => {
      closed.abort();
      limiter.close();
      await transport.close();
    },
  };
}

/** Tells ky to try again; carries nothing. */
class Again extends Error {}
