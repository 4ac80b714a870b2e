import type { Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

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

/** What is asked for, and what servers send that do not look at that. */
const STREAMS: Readonly<Record<string, () => Duplex>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
};

export const ACCEPT_ENCODING = 'gzip, br';

/** A decoder of this content-encoding; undefined where it is unknown. Zero bytes decode to zero bytes. */
export function createDecoder(encoding: string, sink: DecoderSink): Decoder | undefined {
  const streamFor = Object.hasOwn(STREAMS, encoding) ? STREAMS[encoding] : undefined;
  if (streamFor === undefined) return undefined;
  let stream: Duplex | undefined;
  const begin = (): Duplex =>
    streamFor().on('data', sink.push).on('end', sink.end).on('error', sink.fail).on('drain', sink.resume);
  return {
    push: (chunk) => {
      stream ??= begin();
      if (!stream.write(chunk)) sink.pause();
    },
    end: () => {
      if (stream === undefined) sink.end();
      else stream.end();
    },
    close: () => void stream?.destroy(),
  };
}
