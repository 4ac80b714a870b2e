import type { Dispatcher } from 'undici';
import { type Body, createBodyReader } from '../body/body.ts';
import { createDecoder } from '../body/decoder.ts';
import { redactText, type SecretFinder } from '../body/secret-finder.ts';
import { CallFault, faultOf } from '../call-fault.ts';
import { type HeaderFields, headerOf } from '../headers.ts';
import { ERROR_BODY_BYTES, type Limits } from '../limits.ts';
import { encodingOf, isPlain, withoutSecrets } from './answer-headers.ts';
import type { Connections } from './connections.ts';
import { startWatch } from './watch.ts';

/** One GET as it goes over the wire. */
export interface TransportCall {
  /** Path and query as they are sent, with all their dots. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  /** The deepest allowed nesting of lists and objects in the body. */
  readonly maxDepth: number;
  /** For the whole call, with connecting. */
  readonly timeoutMs: number;
  readonly secrets: SecretFinder;
}

/** One answer: the body of a 2xx; for other statuses, the first 64 kB as text. */
export interface Received {
  readonly status: number;
  readonly headers: HeaderFields;
  readonly body: Body | null;
  readonly errorText: string;
}

/** Takes an answer's bytes. An error that it throws ends the call. */
interface Taker {
  readonly push: (chunk: Buffer) => void;
  readonly end: () => void;
  /** Drops an unfinished answer. */
  readonly close: () => void;
}

interface Begun {
  readonly status: number;
  readonly headers: HeaderFields;
  readonly controller: Dispatcher.DispatchController;
}

/**
 * One GET without redirects or retries. Throws CallFault. It takes the bytes from undici's dispatcher as they
 * come: a stream and a signal between them cost half of an answer's cost.
 */
export function receive(connections: Connections, call: TransportCall, limits: Limits): Promise<Received> {
  return new Promise((resolve, reject) => {
    const connection = connections.take();
    let isHeld = true;
    let controller: Dispatcher.DispatchController | null = null;
    let begun: Begun | null = null;
    let taker: Taker | null = null;
    let sentAt = 0;
    let isOver = false;

    function release(how: 'give' | 'drop'): void {
      if (!isHeld) return;
      isHeld = false;
      if (how === 'give') connections.give(connection);
      else connections.drop(connection);
    }
    /** Ends a running call, with its connection. */
    function abort(why: Error): void {
      if (!isHeld) return;
      controller?.abort(why);
      release('drop');
    }
    function settle(): boolean {
      if (isOver) return false;
      isOver = true;
      watch.stop();
      return true;
    }
    function done(part: Pick<Received, 'body' | 'errorText'>): void {
      if (begun === null || !settle()) return;
      // A refusal needs no more decoding; whoever has a body closes it.
      if (!isSuccess(begun.status)) taker?.close();
      resolve(receivedOf(begun, part));
    }
    function fail(error: unknown): void {
      if (!settle()) return;
      taker?.close();
      const fault = faultOf(error, begun?.status ?? null);
      // The rest of a refusal is not needed.
      if (begun === null || isSuccess(begun.status)) reject(fault);
      else resolve(receivedOf(begun, { body: null, errorText: '' }));
      abort(fault);
    }
    function attempt(step: () => void): void {
      if (isOver) return;
      try {
        step();
      } catch (error) {
        fail(error);
      }
    }

    const watch = startWatch({ ...limits, totalMs: call.timeoutMs }, (why) =>
      fail(new CallFault('TIMEOUT', why, begun?.status ?? null)),
    );
    connection.dispatch(
      { path: call.target, method: 'GET', headers: call.headers },
      {
        onRequestStart: (own) => {
          controller = own;
          sentAt = performance.now();
        },
        onResponseStart: (own, status, headers) => {
          if (status < 200) return;
          connection.began(performance.now() - sentAt);
          attempt(() => {
            const safe = withoutSecrets({ status, headers }, call.secrets);
            begun = { status, headers: safe, controller: own };
            watch.alive();
            taker = takerOf(begun, call, { done, fail, attempt });
          });
        },
        onResponseData: (_, chunk) => {
          watch.alive();
          attempt(() => taker?.push(chunk));
        },
        onResponseEnd: () => {
          connection.isProven = true;
          release('give');
          attempt(() => taker?.end());
        },
        onResponseError: (_, error) => {
          if (connection.isProven && !isOver && begun === null) connections.distrust();
          connection.isProven = false;
          release('give');
          fail(error);
        },
      },
    );
  });
}

function receivedOf({ status, headers }: Begun, part: Pick<Received, 'body' | 'errorText'>): Received {
  return { status, headers, ...part };
}

interface Ends {
  readonly done: (part: Pick<Received, 'body' | 'errorText'>) => void;
  readonly fail: (error: unknown) => void;
  readonly attempt: (step: () => void) => void;
}

/** Takes the body of a 2xx, else the first 64 kB as text; both decoded. */
function takerOf(begun: Begun, call: TransportCall, ends: Ends): Taker {
  const taker = isSuccess(begun.status) ? bodyTaker(begun, call, ends) : refusalTaker(begun, call, ends);
  return isPlain(begun.headers) ? taker : decodedTaker(begun, taker, ends);
}

/** Passes the decoded bytes to a taker. */
function decodedTaker(begun: Begun, taker: Taker, { fail, attempt }: Ends): Taker {
  const decoder = createDecoder(encodingOf(begun.headers), {
    push: (chunk) => attempt(() => taker.push(chunk)),
    end: () => attempt(taker.end),
    fail,
    pause: () => begun.controller.pause(),
    resume: () => begun.controller.resume(),
  });
  if (decoder === undefined)
    throw new CallFault(
      'BODY_NOT_TEXT',
      'the body has a content-encoding that was not requested',
      begun.status,
    );
  const close = () => {
    decoder.close();
    taker.close();
  };
  return { push: decoder.push, end: decoder.end, close };
}

export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

function bodyTaker(begun: Begun, { maxBytes, maxDepth, secrets }: TransportCall, { done }: Ends): Taker {
  const { status, headers } = begun;
  if (isPlain(begun.headers) && Number(headerOf(headers, 'content-length')) > maxBytes)
    throw new CallFault('BODY_TOO_LARGE', `the body is larger than ${maxBytes} bytes`, status);
  const contentType = headerOf(headers, 'content-type') ?? '';
  const reader = createBodyReader({ status, contentType, maxBytes, maxDepth, secrets });
  return { push: reader.push, end: () => done({ body: reader.end(), errorText: '' }), close: reader.close };
}

/** Takes the beginning of a refusal's body. */
function refusalTaker({ controller }: Begun, { secrets }: TransportCall, { done }: Ends): Taker {
  const parts: Buffer[] = [];
  let bytes = 0;
  const end = () =>
    done({ body: null, errorText: redactText(Buffer.concat(parts).toString('utf8'), secrets) });
  return {
    push: (chunk) => {
      parts.push(chunk);
      bytes += chunk.length;
      if (bytes <= ERROR_BODY_BYTES) return;
      end();
      controller.abort(new Error('enough'));
    },
    end,
    close: () => {},
  };
}
