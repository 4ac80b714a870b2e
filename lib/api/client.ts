import ky from 'ky';
import type { SecretStore } from '../config/secrets.ts';
import { ExportError } from '../errors.ts';
import type { Target } from '../sources/resources.ts';
import type { Source } from '../sources/source.ts';
import { backoffMs, MAX_ATTEMPTS, RETRY_AFTER_MAX_MS } from './call/backoff.ts';
import { CallRefused } from './call/call-refused.ts';
import { type Call, createCalls, newCall } from './call/calls.ts';
import { createCredentials } from './call/credentials.ts';
import { type Judgement, judgeAnswer, judgeFault } from './call/judge.ts';
import { createLimiter } from './call/limiter.ts';
import { createTransport } from './call/transport.ts';
import type { Received } from './call/transport-call.ts';
import { createTurns } from './call/turns.ts';
import { CallFault, faultOf } from './call-fault.ts';
import { type Clock, systemClock } from './clock.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { type FaultIn, faultInAnswer } from './records/error-in-body.ts';
import type { Reply } from './reply.ts';

export interface ApiClientOptions {
  readonly source: Source;
  readonly secrets: SecretStore;
  /** Wall time of answers and for Retry-After dates. */
  readonly now: () => Date;
  /** At least 0, below 1. */
  readonly random: () => number;
  /** Milliseconds that calls may still take. */
  readonly timeLeft: () => number;
  readonly clock?: Clock;
  readonly limits?: Partial<Limits>;
}

export interface GetOptions {
  /** Of the decoded body. */
  readonly maxBytes: number;
  /** For each try, connecting included. */
  readonly timeoutMs: number;
  /** By what a 200 says that the call failed. @default anything beside a list that is named like an error */
  readonly faultIn?: FaultIn;
}

export interface ApiStats {
  /** Calls sent, retries and redirects included. */
  readonly requests: number;
  readonly retries: number;
  /** Answers 429 and 503. */
  readonly throttled: number;
}

/** The one way to a source's API: within its rate and concurrency, repeated by the policy, its key never elsewhere. */
export interface ApiClient {
  /** Asks until there is an answer or the policy ends it. Throws CallRefused once the whole source is refused. */
  readonly get: (target: Target, options: GetOptions) => Promise<Reply>;
  readonly stats: () => ApiStats;
  /** Why the whole source is refused; every further call throws it. */
  readonly refused: () => ExportError | undefined;
  readonly close: () => Promise<void>;
}

interface Try {
  readonly judgement: Judgement;
  readonly received: Received | null;
}

/** A try, and the milliseconds before the next one; null where there is none. */
interface Waiting extends Try {
  readonly waitMs: number | null;
}

/** What ky gets for an answer: the real one is kept apart, ky needs to see neither body nor key. */
const DONE = new Response(null, { status: 204 });

/** A client of one source; close it. Throws UsageError CA_FILE_INVALID. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { source, random, timeLeft } = options;
  const clock = options.clock ?? systemClock;
  const { concurrency, requestsPerSecond } = source;
  const patience = (): number => Math.min(timeLeft(), RETRY_AFTER_MAX_MS);
  const limiter = createLimiter({ concurrency, requestsPerSecond, clock, patience });
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

  /** One try: what it came to, and the answer where there is one. Throws ExportError where the whole source is refused. */
  async function tryOnce(call: Call, faultIn: FaultIn): Promise<Try> {
    if (refused !== undefined) throw refused;
    try {
      const received = await calls.send(call);
      return { judgement: judged(received, faultIn), received };
    } catch (error) {
      if (!(error instanceof CallFault)) throw error;
      const judgement = judgeFault(error);
      if (judgement.code !== 'TLS_REFUSED') return { judgement, received: null };
      const message = `source ${source.name}: ${judgement.message}`;
      throw new ExportError({ code: judgement.code, message });
    }
  }

  function judged(received: Received, faultIn: FaultIn): Judgement {
    try {
      return judgeAnswer(received, { now: options.now(), faultIn });
    } catch (error) {
      received.body?.close();
      throw faultOf(error, received.status);
    }
  }

  /** A Retry-After that there is no time for ends the call at once. */
  function withinTime(tried: Try): Try {
    const { verdict, retryAfterMs, status } = tried.judgement;
    if (verdict !== 'retry' || retryAfterMs === null) return tried;
    if (retryAfterMs <= patience()) return tried;
    const fault = new CallFault('RATE_LIMITED', 'the server asks to wait longer than there is time', status);
    return { judgement: judgeFault(fault), received: null };
  }

  /** Milliseconds before the next try; null where there is none. */
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
      const tried = withinTime(await tryOnce(call, question.faultIn ?? faultInAnswer));
      tries += 1;
      return { ...tried, waitMs: waitOf(tried.judgement, tries) };
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

  /** Further tries until one has nothing to wait for; ky counts them. It costs 150 µs, and nearly no call needs it. */
  async function repeat(first: Waiting, tryNext: () => Promise<Waiting>): Promise<Try> {
    let last = first;
    const fetch = async (): Promise<Response> => {
      last = await tryNext();
      if (last.waitMs !== null) throw new Again();
      return DONE;
    };
    await pause(first.waitMs ?? 0);
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

  function replyOf({ judgement, received }: Try, call: Call): Reply {
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
    return { kind: 'refusal', ...called, status, outcome, code: code ?? 'HTTP_4XX', message };
  }

  return {
    get,
    stats: () => ({ ...calls.stats(), retries }),
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
