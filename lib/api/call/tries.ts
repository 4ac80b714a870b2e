import { ExportError } from '../../errors.ts';
import { toTheSecond } from '../../time.ts';
import { CallFault, faultOf, toldWhere } from '../call-fault.ts';
import { type FaultIn, faultInAnswer } from '../read/failure.ts';
import type { Received } from '../wire/receive.ts';
import { backoffMs, RETRY_AFTER_MAX_MS } from './backoff.ts';
import { type Call, type Caller, targetText } from './call.ts';
import type { Calls } from './calls.ts';
import { type Judgement, judgeAnswer, judgeFault, type Tried } from './judge.ts';
import type { Retries } from './retries.ts';

/** The conditions for a usable answer. */
export interface Question {
  /** Finds the error in a body with status 200. @default a member next to a list with an error's name */
  readonly faultIn?: FaultIn;
}

/**
 * Makes the calls of a source by ky, which repeats them as the policy decides. A call ends with its last try. Throws ExportError if the whole source is refused.
 */
export function createTries(
  caller: Caller,
  calls: Calls,
): (call: Call, question: Question) => Promise<Tried> {
  const { source, limiter, now, random, timeLeft } = caller;
  const patience = (): number => Math.min(timeLeft(), RETRY_AFTER_MAX_MS);
  const origin = new URL(source.baseUrl).origin;
  let retries: Promise<Retries> | undefined;
  /** The first call loads ky, because it brings Node's own fetch. */
  const loaded = async (): Promise<Retries> => {
    const { createRetries } = await import('./retries.ts');
    return createRetries(origin);
  };

  async function send(call: Call, question: Question): Promise<Omit<Tried, 'waitMs'>> {
    try {
      const received = await calls.send(call);
      return withinTime({ judgement: judged(received, question), received });
    } catch (error) {
      if (!(error instanceof CallFault)) throw error;
      // The limiter lets nobody in before the source's pause is over.
      if (error.code === 'RATE_LIMITED')
        return { ...tooEarly(limiter.pausedMs(), error.status), notBefore: null };
      const judgement = judgeFault(toldWhere(error, source));
      // Another call would meet the same certificate.
      if (!judgement.code?.startsWith('TLS_')) return { judgement, received: null };
      const message = `source ${source.name}: ${judgement.message}`;
      throw new ExportError({ code: judgement.code, message });
    }
  }

  function judged(received: Received, { faultIn = faultInAnswer }: Question): Judgement {
    try {
      return judgeAnswer(received, { now: now(), faultIn });
    } catch (error) {
      received.body?.close();
      throw faultOf(error, received.status);
    }
  }

  /** Ends the call at once if its Retry-After is longer than the time. */
  function withinTime(tried: Omit<Tried, 'waitMs'>): Omit<Tried, 'waitMs'> {
    const { verdict, retryAfterMs, status } = tried.judgement;
    const isTooLong = (retryAfterMs ?? 0) > Math.min(patience(), caller.waitsMost);
    return verdict === 'retry' && isTooLong ? tooEarly(retryAfterMs ?? 0, status) : tried;
  }

  /** The end of a call that the server does not want before a time. */
  function tooEarly(waitMs: number, status: number | null): Omit<Tried, 'waitMs'> {
    // Rounded up, as the header has whole seconds.
    const notBefore = new Date(Math.ceil((now().getTime() + waitMs) / 1000) * 1000);
    const says = `the server asks to wait until ${toTheSecond(notBefore)}, which is longer than a call can wait`;
    return { judgement: judgeFault(new CallFault('RATE_LIMITED', says, status)), received: null, notBefore };
  }

  return async (call, question) => {
    let tries = 0;
    let answer: string | undefined;
    let earlier: Received | null = null;
    let waitMs: number | null = null;
    const attempt = async (): Promise<Tried> => {
      if (waitMs !== null) await caller.pause(waitMs);
      earlier?.body?.close();
      const sent = await send(call, question);
      const { judgement, received } = sent;
      earlier = judgement.verdict === 'again' ? received : null;
      tries += 1;
      const isSame = answer !== undefined && judgement.answer === answer;
      answer = judgement.answer;
      const isOver = (judgement.verdict !== 'retry' && judgement.verdict !== 'again') || isSame;
      const wait = judgement.retryAfterMs ?? backoffMs(tries, random);
      waitMs = isOver || wait > timeLeft() ? null : wait;
      return { ...sent, waitMs };
    };
    retries ??= loaded();
    const withRetries = await retries;
    return withRetries(targetText(call.target), attempt);
  };
}
