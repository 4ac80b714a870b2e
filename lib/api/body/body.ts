import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CallFault, faultOf } from '../call-fault.ts';
import { createToUtf8 } from './charset.ts';
import { isCutOff, jsonFaultOf, jsonIn } from './json-fault.ts';
import { textOf } from './parse.ts';
import { type Scan, SLICE_BYTES } from './scan.ts';
import { createScanner } from './scan-body.ts';
import { createRedactor, type SecretFinder } from './secret-finder.ts';

/** A whole answer in UTF-8 without secrets. Whoever receives it closes it. */
export interface Body {
  readonly bytes: number;
  readonly scan: Scan;
  /** The parsed body (parseExact) if it has at most 64 KiB; else undefined. */
  readonly json: unknown;
  /** The bytes [from, to), which may be a view of the body's own. */
  readonly read: (from: number, to: number) => Buffer;
  readonly close: () => void;
}

export interface BodyOptions {
  readonly status: number;
  readonly contentType: string;
  /** The most bytes of the decoded body. */
  readonly maxBytes: number;
  /** The deepest allowed nesting of lists and objects. */
  readonly maxDepth: number;
  /** Finds the secrets to replace by `[secret]`. */
  readonly secrets: SecretFinder;
}

/**
 * A reader of one body. A small body, like nearly all, passes charset, redactor and scanner in one piece. After
 * a CallFault it holds no memory and no file.
 */
export function createBodyReader({ status, contentType, maxBytes, maxDepth, secrets }: BodyOptions) {
  const toUtf8 = createToUtf8(contentType);
  const redactor = createRedactor(secrets);
  const spool = createSpool();
  const scanner = createScanner(maxDepth, spool.read);
  /** The chunks of a body while it is small. */
  let small: Buffer[] = [];
  let received = 0;

  const stored = () => ({ read: spool.read, bytes: spool.bytes() });

  function inCharset(recode: () => Buffer): Buffer {
    try {
      return recode();
    } catch {
      throw new CallFault('BODY_NOT_TEXT', 'the body has bytes that its charset does not have', status);
    }
  }
  function keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    spool.append(bytes);
    if (!scanner.push(bytes)) check(scanner.end());
  }
  function flush(): void {
    for (const chunk of small) keep(redactor.push(inCharset(() => toUtf8.push(chunk))));
    small = [];
  }
  function check({ problem }: Scan): void {
    if (problem === 'html')
      throw new CallFault('BODY_NOT_JSON', 'the body is a web page, not JSON', status, 'a web page');
    if (problem === 'too-deep')
      throw new CallFault('BODY_TOO_DEEP', 'the body is nested deeper than maxDepth allows', status);
    if (problem === 'truncated' && isCutOff(stored()))
      throw new CallFault('BODY_TRUNCATED', 'the JSON body is cut off', status);
    if (problem !== null) throw jsonFaultOf(stored(), status);
  }
  function take(chunk: Buffer): void {
    received += chunk.length;
    if (received > maxBytes)
      throw new CallFault('BODY_TOO_LARGE', `the body is larger than ${maxBytes} bytes`, status);
    small.push(chunk);
    if (received > SLICE_BYTES) flush();
  }
  function finish(): Body | null {
    if (small.length > 1) small = [Buffer.concat(small)];
    flush();
    keep(redactor.push(inCharset(toUtf8.end)));
    keep(redactor.end());
    const scan = scanner.end();
    check(scan);
    const { bytes, root, bom } = scan;
    if (root === 'none') return null;
    const isSmall = bytes <= SLICE_BYTES;
    const json = isSmall ? jsonIn(stored(), textOf(spool.read(bom ? 3 : 0, bytes)), status) : undefined;
    return { bytes, scan, json, read: spool.read, close: spool.close };
  }
  function orFault<T>(step: () => T): T {
    try {
      return step();
    } catch (error) {
      spool.close();
      throw faultOf(error, status);
    }
  }

  return {
    push: (chunk: Buffer): void => orFault(() => take(chunk)),
    /** The whole body; null if it is empty. */
    end: (): Body | null => orFault(finish),
    /** Drops an unfinished body; may be called twice. */
    close: spool.close,
  };
}

/** A smaller body stays in memory: 64 child answers at once need at most 64 MiB, and most have 1 kB. */
export const MEMORY_BYTES = 1 << 20;

/** Keeps up to 1 MiB in memory and moves more into a temporary file. Throws the file system's errors. */
function createSpool() {
  let chunks: Buffer[] = [];
  let bytes = 0;
  let file: number | null = null;

  function write(chunk: Buffer, from: number): void {
    file ??= openNameless();
    for (let done = 0; done < chunk.length; )
      done += writeSync(file, chunk, done, chunk.length - done, from + done);
  }

  function fromFile(open: number, from: number, to: number): Buffer {
    const found = Buffer.allocUnsafe(to - from);
    for (let done = 0; done < found.length; ) {
      const got = readSync(open, found, done, found.length - done, from + done);
      if (got === 0) throw new Error('the temporary file is shorter than what was written to it');
      done += got;
    }
    return found;
  }

  return {
    append(chunk: Buffer): void {
      if (file === null) chunks.push(chunk);
      else write(chunk, bytes);
      bytes += chunk.length;
      if (file !== null || bytes <= MEMORY_BYTES) return;
      write(Buffer.concat(chunks), 0);
      chunks = [];
    },
    bytes: (): number => bytes,
    /** The bytes [from, to), which may be a view of the stored bytes. */
    read(from: number, to: number): Buffer {
      if (file !== null) return fromFile(file, from, to);
      if (chunks.length > 1) chunks = [Buffer.concat(chunks)];
      return (chunks[0] ?? Buffer.alloc(0)).subarray(from, to);
    },
    /** Frees the memory or file; may be called twice. */
    close(): void {
      if (file !== null) closeSync(file);
      file = null;
      chunks = [];
    },
  };
}

/** An open file without a name, so nothing is left even if the process is killed. */
function openNameless(): number {
  const path = join(tmpdir(), `signage-export-${randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return file;
}
