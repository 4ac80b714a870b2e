import { ExportError } from '../../errors.ts';
import { type Target, topLevelResources } from '../../sources/resources.ts';
import type { Source } from '../../sources/source.ts';
import { ACCEPT_ENCODING } from '../body/decoder.ts';
import { CallFault } from '../call-fault.ts';
import type { Clock } from '../clock.ts';
import { messageOf } from '../codes.ts';
import { headerOf } from '../headers.ts';
import { retryAfterMs } from './backoff.ts';
import type { Credentials, Key } from './credentials.ts';
import type { Admission, CallEnd, Limiter, Urgency } from './limiter.ts';
import type { Transport } from './transport.ts';
import type { Received } from './transport-call.ts';

/** One question to the API, over all its tries. */
export interface Call {
  readonly target: Target;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Tries so far. */
  attempts: number;
  /** Of the last call. */
  latencyMs: number;
  /** Of the last answer; null before the first. */
  status: number | null;
  /** True: the secret was read again after a 401. */
  renewed: boolean;
  /** The header Accept. */
  accept: Accept;
}

/** JSON; or anything, for a server that answers a call for JSON with 406. */
type Accept = typeof JSON_ALONE | typeof JSON_OR_ANY;

interface Hop {
  readonly target: string;
  readonly turn: Urgency;
}

interface Tried {
  readonly received: Received;
  /** The key that was sent. */
  readonly key: Key;
  /** Ends the wait of other calls, which begins with a 401 to a key that the server has never accepted. */
  readonly release: () => void;
}

export interface CallsOptions {
  readonly source: Source;
  readonly now: () => Date;
  readonly timeLeft: () => number;
  readonly clock: Clock;
  readonly limiter: Limiter;
  readonly transport: Transport;
  readonly credentials: Credentials;
  /** Why the whole source is refused; undefined if it is not. */
  readonly refused: () => ExportError | undefined;
  /** Ends all calls with this error, also waiting ones. */
  readonly refuse: (why: ExportError) => void;
}

export interface Calls {
  /**
   * One try: it waits for the limiter, follows redirects within the origin, and repeats with a new key after a 401. Throws
   * CallFault, or ExportError if the whole source is refused.
   */
  readonly send: (call: Call) => Promise<Received>;
  readonly stats: () => { readonly requests: number; readonly throttled: number };
}

/** The client's name in the logs of servers. */
const USER_AGENT = 'signage-export';
/** Hops of one try; a login page that redirects to itself ends here. */
const MAX_REDIRECTS = 5;

const JSON_ALONE = 'application/json';
/** For servers that call their JSON something else, such as application/vnd.api+json; any other gives JSON. */
const JSON_OR_ANY = 'application/json, */*;q=0.5';
/** Only the status of a probe counts, so its body may be cut. */
const PROBE_BYTES = 64 * 1024;
const PROBE_TIMEOUT_MS = 30_000;

/** Sends calls, without retries. */
export function createCalls(options: CallsOptions): Calls {
  const { source, clock, limiter, credentials, timeLeft } = options;
  const base = new URL(source.baseUrl);
  let requests = 0;
  let throttled = 0;
  /** The header Accept that the server is known to take. */
  let accept: Accept = JSON_ALONE;
  let probed: { readonly reading: number; readonly taken: Promise<boolean | null> } | null = null;

  async function once(call: Call, { target, turn }: Hop): Promise<Tried> {
    const { place, key: mine } = await entered(turn);
    let end: CallEnd = { kind: 'failed' };
    let key: Key | null = null;
    let begun: number | null = null;
    try {
      const refused = options.refused();
      if (refused !== undefined) throw refused;
      key = mine;
      const left = timeLeft();
      if (left <= 0) throw new CallFault('OUT_OF_TIME', 'no time was left for the call');
      call.attempts += 1;
      requests += 1;
      begun = clock.monotonic();
      const received = await options.transport.send({
        target,
        headers: {
          accept: call.accept,
          'accept-encoding': ACCEPT_ENCODING,
          'user-agent': USER_AGENT,
          ...key.headers,
        },
        maxBytes: call.maxBytes,
        maxDepth: source.maxDepth,
        timeoutMs: Math.min(call.timeoutMs, left),
        secrets: credentials.finder(),
      });
      call.status = received.status;
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
   * A place, and the key that is the newest when the call has it. Whoever gets a place while the secret is read gives it
   * back: those that waited with a place for the same reading would all go at once.
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

  function endOf({ status, headers }: Received): CallEnd {
    if (status !== 429 && status !== 503) return { kind: 'answered' };
    throttled += 1;
    const wait = retryAfterMs(headerOf(headers, 'retry-after'), options.now().getTime());
    return { kind: status === 429 ? 'throttled' : 'overloaded', retryAfterMs: wait };
  }

  /** Follows redirects within the origin, for the key must go nowhere else. */
  async function along(call: Call, first: Hop): Promise<Tried> {
    let hop = first;
    for (let hops = 0; ; hops += 1) {
      const tried = await once(call, hop);
      const { status, headers } = tried.received;
      const location = headerOf(headers, 'location');
      if (status < 300 || status > 399 || location === undefined || hops === MAX_REDIRECTS)
        return hops === 0 ? tried : ledElsewhere(tried, hop);
      const next = URL.parse(location, `${base.origin}${hop.target}`);
      if (next === null || next.origin !== base.origin) {
        throw new CallFault('REDIRECT_REFUSED', 'the server redirects to another origin', status);
      }
      hop = { turn: hop.turn === 'urgent' ? 'urgent' : 'again', target: `${next.pathname}${next.search}` };
    }
  }

  /** The answer of a redirect's last hop says where it was: the parameters there are none of the call's. */
  function ledElsewhere(tried: Tried, { target }: Hop): Tried {
    const headers = { 'content-location': target, ...tried.received.headers };
    return { ...tried, received: { ...tried.received, headers } };
  }

  async function send(call: Call): Promise<Received> {
    const target = targetText(call.target);
    if (accept !== JSON_ALONE) call.accept = accept;
    const first = await along(call, { target, turn: turnOf(call) });
    const tried = await afterNotAcceptable(call, { target, tried: first });
    if (tried.received.status !== 401) return tried.received;
    try {
      return await afterUnauthorized(call, { target, tried });
    } finally {
      tried.release();
    }
  }

  /** Repeats a call that was refused for its Accept header with a wider one, which later calls then use. */
  async function afterNotAcceptable(
    call: Call,
    { target, tried }: { target: string; tried: Tried },
  ): Promise<Tried> {
    if (tried.received.status !== 406 || call.accept !== JSON_ALONE) return tried;
    call.accept = JSON_OR_ANY;
    const wider = await along(call, { target, turn: 'again' });
    if (isSuccess(wider.received.status)) accept = JSON_OR_ANY;
    return wider;
  }

  /** Repeats the call with a newer key. Gives the 401 back if the key works elsewhere; throws if it works nowhere. */
  async function afterUnauthorized(
    call: Call,
    { target, tried }: { target: string; tried: Tried },
  ): Promise<Received> {
    let last = tried;
    if (!call.renewed) {
      call.renewed = true;
      const fresh = await credentials.renew(tried.key);
      if (fresh.reading !== tried.key.reading) {
        last = await along(call, { target, turn: 'urgent' });
        last.release();
      }
    }
    if (last.received.status !== 401) return last.received;
    const taken = credentials.wasAccepted(last.key) ? true : await probeOnce(last.key);
    if (taken) return last.received;
    if (taken === null)
      throw new CallFault('HTTP_401', 'whether the key works at all could not be found out', 401);
    const says = `source ${source.name}: the server answers 401 to every call with the key of the secret ${JSON.stringify(source.secret)}`;
    const message = messageOf(says, 'SOURCE_UNAUTHORIZED');
    const refused = new ExportError({ code: 'SOURCE_UNAUTHORIZED', message });
    options.refuse(refused);
    throw refused;
  }

  /** One probe for all calls with the same doubtful key; if it finds nothing out, the next call probes again. */
  async function probeOnce(key: Key): Promise<boolean | null> {
    if (probed?.reading !== key.reading) probed = { reading: key.reading, taken: probe(key) };
    const taken = await probed.taken;
    if (taken === null) probed = null;
    return taken;
  }

  /**
   * Calls the top-level listings, the smallest first. True as soon as the server accepts the key for one, false if it
   * refuses the key for all, null if the answers do not tell.
   */
  async function probe(key: Key): Promise<boolean | null> {
    const release = limiter.hold();
    const statuses: Array<number | null> = [];
    try {
      for (const resource of topLevelResources(source.kind)) {
        const target = resource.target(source, '');
        const call = { ...newCall({ target, maxBytes: PROBE_BYTES, timeoutMs: PROBE_TIMEOUT_MS }), accept };
        const tried = await once(call, { target: targetText(target), turn: 'urgent' }).catch(nullOfFault);
        tried?.received.body?.close();
        tried?.release();
        if (credentials.wasAccepted(key)) return true;
        statuses.push(tried?.received.status ?? null);
      }
    } finally {
      release();
    }
    // A 404 may be a wrong path. Any other status than 401 and 404 tells nothing about the key.
    const refused = statuses.includes(401) && statuses.every((status) => status === 401 || status === 404);
    return refused ? false : null;
  }

  return { send, stats: () => ({ requests, throttled }) };
}

/** A call before its first try. */
export function newCall(question: Pick<Call, 'target' | 'maxBytes' | 'timeoutMs'>): Call {
  return { ...question, attempts: 0, latencyMs: 0, status: null, renewed: false, accept: JSON_ALONE };
}

function turnOf({ attempts, status }: Call): Urgency {
  if (attempts === 0) return 'new';
  return status === 429 || status === 503 ? 'refused' : 'again';
}

/** Path and query as they are sent. WHATWG's URL is not used, for it resolves `%2E%2E` to the folder above. */
function targetText({ path, query }: Target): string {
  const search = new URLSearchParams(query).toString();
  if (search === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}${search}`;
}

function nothing(): void {}

function nullOfFault(error: unknown): null {
  if (error instanceof CallFault) return null;
  throw error;
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}
