import { rootCertificates } from 'node:tls';
import { readCertificates } from '../../config/ca-file.ts';
import { UsageError } from '../../errors.ts';
import type { Source } from '../../sources/source.ts';
import type { Clock } from '../clock.ts';
import type { Limits } from '../limits.ts';
import { type Connections, createConnections } from './connections.ts';
import { type Received, receive, type TransportCall } from './receive.ts';

export interface Transport extends Pick<Connections, 'rest' | 'unasked' | 'close'> {
  /** One GET without redirects or retries. Throws CallFault. */
  readonly send: (call: TransportCall) => Promise<Received>;
}

export interface TransportOptions {
  readonly limits: Limits;
  readonly clock: Clock;
  /** The address of the proxy to the source; undefined: none. */
  readonly proxy: string | undefined;
}

/** For all headers of an answer together, as in Node's own server; every parser of a header is linear. */
const HEADER_BYTES = 16 * 1024;

/** Calls to a source's origin, over connections that are kept alive; TLS is always verified. */
export function createTransport(source: Source, { limits, clock, proxy }: TransportOptions): Transport {
  const { origin } = new URL(source.baseUrl);
  const ca = source.caFile === undefined ? null : [...rootCertificates, certificates(source.caFile)];
  const connections = createConnections(origin, {
    clock,
    proxy,
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would switch the verification off.
    connect: { timeout: limits.connectMs, rejectUnauthorized: true, ...(ca === null ? {} : { ca }) },
    // Its timers are as coarse as a second; a call's own watch limits it.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: -1,
    maxHeaderSize: HEADER_BYTES,
  });

  return { ...connections, send: (call) => receive(connections, call, limits) };
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
