import { CallFault, faultOf } from '../call-fault.ts';
import { createToUtf8 } from './charset.ts';
import { isCutOff, jsonFaultOf } from './json-fault.ts';
import { parseExact, textOf } from './parse.ts';
import { type Scan, SLICE_BYTES } from './scan.ts';
import { createScanner } from './scan-body.ts';
import { createRedactor, type SecretFinder } from './secret-finder.ts';
import { createSpool } from './spool.ts';

/** A whole answer in UTF-8 without secrets. Whoever receives it closes it. */
export interface Body {
  readonly bytes: number;
  readonly scan: Scan;
  /** The parsed body (parseExact) if it has at most 64 KiB and is not JSON lines; else undefined. */
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

/** Takes a body as it comes. After a CallFault it holds no memory and no file. */
export interface BodyReader {
  readonly push: (chunk: Buffer) => void;
  /** The whole body; null if it is empty. */
  readonly end: () => Body | null;
  /** Drops an unfinished body; may be called twice. */
  readonly close: () => void;
}

/** A reader of one body. A small body, like nearly all, passes charset, redactor and scanner in one piece. */
export function createBodyReader({
  status,
  contentType,
  maxBytes,
  maxDepth,
  secrets,
}: BodyOptions): BodyReader {
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
    const { bytes, root, bom, isLines } = scan;
    if (root === 'none') return null;
    const isParsed = bytes <= SLICE_BYTES && !isLines;
    const json = isParsed ? parsed(spool.read(bom ? 3 : 0, bytes)) : undefined;
    return { bytes, scan, json, read: spool.read, close: spool.close };
  }
  function parsed(bytes: Buffer): unknown {
    try {
      return parseExact(textOf(bytes));
    } catch {
      throw jsonFaultOf(stored(), status);
    }
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
    push: (chunk) => orFault(() => take(chunk)),
    end: () => orFault(finish),
    close: spool.close,
  };
}
