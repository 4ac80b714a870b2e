import type { Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

/** Decodes bytes as they come, and passes them to the sink. */
export interface Decoder {
  readonly push: (chunk: Buffer) => void;
  /** Says that no more bytes come: the sink ends when all are decoded. */
  readonly end: () => void;
  readonly close: () => void;
}

export interface DecoderSink {
  readonly push: (chunk: Buffer) => void;
  readonly end: () => void;
  readonly fail: (error: unknown) => void;
  /** Stops the incoming bytes until `resume`, for too many wait to be decoded. */
  readonly pause: () => void;
  readonly resume: () => void;
}

const STREAMS: ReadonlyMap<string, () => Duplex> = new Map<string, () => Duplex>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);

export const ACCEPT_ENCODING = 'gzip, deflate, br';

/** A decoder of this content-encoding; undefined if it is unknown. */
export function createDecoder(encoding: string, sink: DecoderSink): Decoder | undefined {
  const stream = STREAMS.get(encoding)?.();
  if (stream === undefined) return undefined;
  stream.on('data', sink.push);
  stream.on('end', sink.end);
  stream.on('error', sink.fail);
  stream.on('drain', sink.resume);
  return {
    push: (chunk) => {
      if (!stream.write(chunk)) sink.pause();
    },
    end: () => void stream.end(),
    close: () => void stream.destroy(),
  };
}
