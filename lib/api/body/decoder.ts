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

/** By the first bytes, for some encodings have two forms. */
const STREAMS: ReadonlyMap<string, (first: Buffer) => Duplex> = new Map<string, (first: Buffer) => Duplex>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  // It should have zlib's header, whose first byte ends in 8; some servers leave it out.
  ['deflate', (first) => (((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw())],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress()],
]);

export const ACCEPT_ENCODING = 'gzip, deflate, br';

/** A decoder of this content-encoding; none where it is not known. No bytes at all are nothing, whatever the encoding. */
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
