import { ExportError } from '../../errors.ts';
import { topLevelResources } from '../../sources/resources.ts';
import { secretPlaceOf } from '../../sources/secret-place.ts';
import { CallFault } from '../call-fault.ts';
import { messageOf } from '../codes.ts';
import type { Received } from '../wire/receive.ts';
import { type Call, type Caller, type Hop, type Hopped, newCall, targetText } from './call.ts';
import type { Key } from './credentials.ts';

/** Only the status of a probe counts, so its body may be cut. */
const PROBE_BYTES = 64 * 1024;
const PROBE_TIMEOUT_MS = 30_000;

interface Requests {
  /** One request. */
  readonly once: (call: Call, hop: Hop) => Promise<Hopped>;
  /** A request, and those along its redirects. */
  readonly along: (call: Call, hop: Hop) => Promise<Hopped>;
}

/**
 * Repeats a call after a 401 with a newer key. Returns the 401 if the key works elsewhere; throws ExportError
 * if it works nowhere.
 */
export function createUnauthorized(
  { source, limiter, credentials, refuse }: Caller,
  { once, along }: Requests,
) {
  let probed: { readonly reading: number; readonly taken: Promise<boolean | null> } | null = null;

  async function after(
    call: Call,
    { target, tried }: { readonly target: string; readonly tried: Hopped },
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
      throw new CallFault(
        'HTTP_401',
        'the server answers 401, and nothing shows whether the key works for other calls',
        401,
      );
    const says = `source ${source.name}: the server answers 401 to every call with the key ${placeOf(source.secret)}`;
    const message = messageOf(says, 'SOURCE_UNAUTHORIZED');
    const refused = new ExportError({ code: 'SOURCE_UNAUTHORIZED', message });
    refuse(refused);
    throw refused;
  }

  /** One probe for all calls with the same doubtful key; without a result the next call probes again. */
  async function probeOnce(key: Key): Promise<boolean | null> {
    if (probed?.reading !== key.reading) probed = { reading: key.reading, taken: probe(key) };
    const taken = await probed.taken;
    if (taken === null) probed = null;
    return taken;
  }

  /**
   * Calls the top-level listings, the smallest first. True as soon as the server accepts the key for one,
   * false if it refuses it for all. Null if unclear.
   */
  async function probe(key: Key): Promise<boolean | null> {
    const release = limiter.hold();
    const statuses: Array<number | null> = [];
    try {
      for (const resource of topLevelResources(source.kind)) {
        const target = resource.target(source, '');
        const call = newCall({ target, maxBytes: PROBE_BYTES, timeoutMs: PROBE_TIMEOUT_MS });
        const tried = await once(call, { target: targetText(target), turn: 'urgent' }).catch(nullOfFault);
        tried?.received.body?.close();
        tried?.release();
        if (credentials.wasAccepted(key)) return true;
        statuses.push(tried?.received.status ?? null);
      }
    } finally {
      release();
    }
    // A 404 may be a wrong path. Any other status than 401 and 404 proves nothing about the key.
    const refused = statuses.includes(401) && statuses.every((status) => status === 401 || status === 404);
    return refused ? false : null;
  }

  return after;
}

function nullOfFault(error: unknown): null {
  if (error instanceof CallFault) return null;
  throw error;
}

/** Where the key is: the setting itself says it, or it is the name of a secret. */
function placeOf(secret: string): string {
  return secretPlaceOf(secret) === undefined
    ? `of the secret ${JSON.stringify(secret)}, which is in secrets.json or, on AWS, in Secrets Manager`
    : `in ${secret}`;
}
