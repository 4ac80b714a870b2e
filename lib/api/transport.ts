import { pipeline, type Readable } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
// Not undici's index, which loads its fetch, mocks and caches too: half a megabyte of every bundle that calls an API.
import request from 'undici/lib/api/api-request.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import { readCertificates } from '../config/ca-file.ts';
import type { Source } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import { type Body, readBody } from './body.ts';
import { Fault, faultOf } from './fault.ts';
import { ERROR_BODY_BYTES, type Limits } from './limits.ts';
import { startWatch } from './watch.ts';

export interface TransportCall {
  /** Path and query as they go over the wire; nothing resolves its dots. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  /** For the whole call, connecting included. */
  readonly timeoutMs: number;
  readonly secrets: readonly Buffer[];
}

export type HeaderFields = Readonly<Record<string, string | string[] | undefined>>;

/** One answer as it came: of a 2xx the body, of others the first 64 kB as text. */
export interface Received {
  readonly status: number;
  readonly headers: HeaderFields;
  readonly body: Body | null;
  readonly errorText: string;
}

export interface Transport {
  /** One GET without redirects or retries. Throws Fault. */
  readonly send: (call: TransportCall) => Promise<Received>;
  readonly close: () => Promise<void>;
}

const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

export const ACCEPT_ENCODING = 'gzip, deflate, br';

/** Connections to a source's origin: kept alive, as many as its concurrency, TLS always verified. */
export function createTransport(source: Source, limits: Limits): Transport {
  const { origin } = new URL(source.baseUrl);
  const ca = source.caFile === undefined ? null : [...rootCertificates, certificates(source.caFile)];
  const pool = new Pool(origin, {
    connections: source.concurrency,
    pipelining: 1,
    connect: { timeout: limits.connectMs, ...(ca === null ? {} : { ca }) },
    // Its timers are as coarse as a second; a call's own watch bounds it.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: -1,
  });

  async function send(call: TransportCall): Promise<Received> {
    const watch = startWatch({ ...limits, totalMs: call.timeoutMs });
    let status: number | null = null;
    try {
      const answer = await request.call(pool, {
        path: call.target,
        method: 'GET',
        headers: call.headers,
        signal: watch.signal,
      });
      status = answer.statusCode;
      watch.answered();
      if (status < 200 || status > 299) {
        return { status, headers: answer.headers, body: null, errorText: await errorText(answer.body) };
      }
      answer.body.on('data', watch.alive);
      const body = await readAnswer(answer, call);
      return { status, headers: answer.headers, body, errorText: '' };
    } catch (error) {
      const why = watch.why();
      throw why === null ? faultOf(error, status) : new Fault('TIMEOUT', why, status);
    } finally {
      watch.stop();
    }
  }

  return { send, close: () => pool.destroy() };
}

async function readAnswer(
  answer: { statusCode: number; headers: HeaderFields; body: Readable },
  call: TransportCall,
): Promise<Body | null> {
  const encoding = (headerOf(answer.headers, 'content-encoding') ?? '').trim().toLowerCase();
  const plain = encoding === '' || encoding === 'identity';
  if (plain && Number(headerOf(answer.headers, 'content-length')) > call.maxBytes) {
    answer.body.destroy();
    throw new Fault('BODY_TOO_LARGE', `the body is larger than ${call.maxBytes} bytes`, answer.statusCode);
  }
  return readBody({
    stream: plain ? answer.body : decoded(answer, encoding),
    status: answer.statusCode,
    contentType: headerOf(answer.headers, 'content-type') ?? '',
    maxBytes: call.maxBytes,
    secrets: call.secrets,
  });
}

function decoded(answer: { statusCode: number; body: Readable }, encoding: string): Readable {
  const decoder = DECODERS[encoding];
  if (decoder === undefined) {
    answer.body.destroy();
    throw new Fault(
      'BODY_NOT_TEXT',
      'the body has a content-encoding that was not asked for',
      answer.statusCode,
    );
  }
  // The error reaches whoever reads the end of the pipeline.
  return pipeline(answer.body, decoder(), () => undefined) as unknown as Readable;
}

/** The beginning of an error's body; empty where it does not come. */
async function errorText(stream: Readable): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      parts.push(chunk);
      bytes += chunk.length;
      if (bytes > ERROR_BODY_BYTES) break;
    }
  } catch {
    return '';
  }
  return Buffer.concat(parts).toString('utf8');
}

/** A header's value; the first where it came more than once. */
export function headerOf(headers: HeaderFields, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function certificates(file: string): string {
  const read = readCertificates(file);
  if ('pem' in read) return read.pem;
  throw new UsageError(
    `caFile ${file} ${read.fault}; set it to a readable file with PEM certificates.`,
    'CA_FILE_INVALID',
    read.cause,
  );
}
