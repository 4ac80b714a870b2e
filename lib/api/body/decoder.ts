import type { Duplex } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';

/** Decodes bytes as they come, and passes them to the sink. */
export interface Decoder {
  readonly push: (chunk: Buffer) => void;
  /** Marks the end of the bytes: the sink ends when all are decoded. */
  readonly end: () => void;
  readonly close: () => void;
}

export interface DecoderSink {
  readonly push: (chunk: Buffer) => void;
  readonly end: () => void;
  readonly fail: (error: unknown) => void;
  /** Stops the incoming bytes until `resume`, because too many wait to be decoded. */
  readonly pause: () => void;
  readonly resume: () => void;
}

/** The first bytes decide, because some encodings have two forms. */
const STREAMS: ReadonlyMap<string, (first: Buffer) => Duplex> = new Map<string, (first: Buffer) => Duplex>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  // It should have zlib's header with a first byte that ends in 8, but some servers leave it out.
  ['deflate', (first) => (((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw())],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress()],
]);

export const ACCEPT_ENCODING = 'gzip, deflate, br';

/** A decoder of this content-encoding; undefined where it is unknown. Zero bytes decode to zero bytes. */
export function createDecoder(encoding: string, sink: DecoderSink): Decoder | undefined {
  const streamFor = STREAMS.get(encoding);
  if (streamFor === undefined) return undefined;
  let stream: Duplex | undefined;
  const begin = (first: Buffer): Duplex =>
    streamFor(first)
      .on('data', sink.push)
      .on('end', sink.end)
      .on('error', sink.fail)
      .on('drain', sink.resume);
  return {
    push: (chunk) => {
      stream ??= begin(chunk);
      if (!stream.write(chunk)) sink.pause();
    },
    end: () => {
      if (stream === undefined) sink.end();
      else stream.end();
    },
    close: () => void stream?.destroy(),
  };
}
