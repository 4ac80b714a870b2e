import { rootCertificates } from 'node:tls';
import { readCertificates } from '../../config/ca-file.ts';
import type { Source } from '../../config/config.ts';
import { UsageError } from '../../errors.ts';
import type { Body } from '../body/body.ts';
import type { HeaderFields } from '../headers.ts';
import type { Limits } from '../limits.ts';
import { createConnections } from './connections.ts';
import { receive } from './receive.ts';

export interface TransportCall {
  /** Path and query as they go over the wire; nothing resolves its dots. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  /** For the whole call, connecting included. */
  readonly timeoutMs: number;
  readonly secrets: readonly Buffer[];
}

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

/** Calls to a source's origin, over connections that are kept alive; TLS is always verified. */
export function createTransport(source: Source, limits: Limits): Transport {
  const { origin } = new URL(source.baseUrl);
  const ca = source.caFile === undefined ? null : [...rootCertificates, certificates(source.caFile)];
  const connections = createConnections(origin, {
    connect: { timeout: limits.connectMs, ...(ca === null ? {} : { ca }) },
    // Its timers are as coarse as a second; a call's own watch bounds it.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: -1,
  });

  return { send: (call) => receive(connections, call, limits), close: connections.close };
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
