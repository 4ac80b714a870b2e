import { ACCEPT_ENCODING } from '../body/decoder.ts';
import { CallFault } from '../call-fault.ts';
import { type HeaderFields, headerOf } from '../headers.ts';
import { isSuccess, type Received } from '../wire/receive.ts';
import { retryAfterMs } from './backoff.ts';
import { type Call, type Caller, type Hop, type Hopped, targetText } from './call.ts';
import type { Key } from './credentials.ts';
import type { Admission, CallEnd, Urgency } from './limiter.ts';
import { minutesAhead, nearer } from './minutes-ahead.ts';
import { createUnauthorized } from './unauthorized.ts';

export type Calls = ReturnType<typeof createCalls>;

/** Some servers have another name for JSON (`application/vnd.api+json`), and answer 406 to a call for JSON alone. */
const HEADERS = {
  accept: 'application/json, application/*;q=0.5',
  'accept-encoding': ACCEPT_ENCODING,
  'user-agent': 'signage-export',
};
/** The most hops of one try; a login page that redirects to itself ends here. */
const MAX_REDIRECTS = 5;

/** Sends calls, without retries. */
export function createCalls(caller: Caller) {
  const { source, clock, limiter, credentials, timeLeft, graceMs } = caller;
  const base = new URL(source.baseUrl);
  let requests = 0;
  let throttled = 0;
  let ahead: number | undefined;
  let latestDate: string | undefined;
  const afterUnauthorized = createUnauthorized(caller, { once, along });

  async function once(call: Call, { target, turn }: Hop): Promise<Hopped> {
    const { place, key: mine } = await entered(turn);
    let end: CallEnd = { kind: 'failed' };
    let key: Key | null = null;
    let begun: number | null = null;
    try {
      const refused = caller.refused();
      if (refused !== undefined) throw refused;
      key = mine;
      const left = timeLeft();
      if (left <= 0) throw new CallFault('OUT_OF_TIME', 'the time ran out before the call was sent');
      call.attempts += 1;
      requests += 1;
      begun = clock.monotonic();
      const received = await caller.transport.send({
        target,
        headers: { ...HEADERS, ...key.headers },
        maxBytes: call.maxBytes,
        maxDepth: source.maxDepth,
        timeoutMs: Math.min(call.timeoutMs, left + graceMs),
        secrets: credentials.finder(),
      });
      call.status = received.status;
      noteDate(received.headers);
      end = endOf(received);
      if (isSuccess(received.status)) credentials.accept(key);
      const inDoubt = received.status === 401 && !credentials.wasAccepted(key);
      return { received, key, release: inDoubt ? limiter.hold() : nothing };
    } catch (error) {
      if (key !== null && error instanceof CallFault && isSuccess(error.status)) credentials.accept(key);
      throw error;
    } finally {
      if (begun !== null) call.latencyMs = clock.monotonic() - begun;
      place.leave(end);
    }
  }

  /**
   * A place, and the newest key at its time. While the secret is read, a call releases its place: otherwise
   * all that wait for the reading would leave at once.
   */
  async function entered(turn: Urgency): Promise<{ readonly place: Admission; readonly key: Key }> {
    for (;;) {
      await credentials.current();
      const place = await limiter.enter(turn);
      const key = credentials.known();
      if (key !== null) return { place, key };
      place.leave({ kind: 'failed' });
    }
  }

  /** The first answer of a second shows how far ahead its Date is. */
  function noteDate(headers: HeaderFields): void {
    const date = headerOf(headers, 'date');
    if (date === latestDate) return;
    latestDate = date;
    ahead = nearer(ahead, minutesAhead(headers, caller.now()));
  }

  function endOf({ status, headers }: Received): CallEnd {
    if (status !== 429 && status !== 503) return { kind: 'answered' };
    throttled += 1;
    const wait = retryAfterMs(headerOf(headers, 'retry-after'), caller.now().getTime());
    return { kind: status === 429 ? 'throttled' : 'overloaded', retryAfterMs: wait };
  }

  /** Follows redirects within the origin, because the key must go nowhere else. */
  async function along(call: Call, first: Hop): Promise<Hopped> {
    let hop = first;
    for (let hops = 0; ; hops += 1) {
      const tried = await once(call, hop);
      const { status, headers } = tried.received;
      const location = headerOf(headers, 'location');
      if (status < 300 || status > 399 || location === undefined || hops === MAX_REDIRECTS) return tried;
      const next = URL.parse(location, `${base.origin}${hop.target}`);
      if (next === null || next.origin !== base.origin) {
        throw new CallFault('REDIRECT_REFUSED', 'the server redirects to another origin', status);
      }
      hop = { turn: hop.turn === 'urgent' ? 'urgent' : 'again', target: `${next.pathname}${next.search}` };
    }
  }

  /**
   * One try: it waits for the limiter, follows redirects within the origin, and repeats with a new key after
   * a 401. Throws CallFault, or ExportError if the whole source is refused.
   */
  async function send(call: Call): Promise<Received> {
    const refused = caller.refused();
    if (refused !== undefined) throw refused;
    const target = targetText(call.target);
    const tried = await along(call, { target, turn: turnOf(call) });
    if (tried.received.status !== 401) return tried.received;
    try {
      return await afterUnauthorized(call, { target, tried });
    } finally {
      tried.release();
    }
  }

  return { send, stats: () => ({ requests, throttled }), minutesAhead: () => ahead };
}

function turnOf({ attempts, status }: Call): Urgency {
  if (attempts === 0) return 'new';
  return status === 429 || status === 503 ? 'refused' : 'again';
}

function nothing(): void {}
