import { CallFault, faultOf } from '../call-fault.ts';
import { createToUtf8 } from './charset.ts';
import { closesWrongly } from './closes-wrongly.ts';
import { parseExact } from './parse.ts';
import { createRedactor } from './redact.ts';
import { type Scan, SLICE_BYTES } from './scan.ts';
import { createScanner } from './scan-body.ts';
import type { SecretFinder } from './secret-finder.ts';
import { createSpool } from './spool.ts';
import { textOf } from './text-of.ts';

/** A whole answer in UTF-8 without secrets. Whoever gets one closes it. */
export interface Body {
  readonly bytes: number;
  readonly scan: Scan;
  /** The parsed body (parseExact) if it has at most 64 KiB and is no list of lines; else undefined. */
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
  /** Lists and objects within each other. */
  readonly maxDepth: number;
  /** What to replace by `[secret]`. */
  readonly secrets: SecretFinder;
}

/** Takes a body as it comes. Throws CallFault, after which it holds no memory and no file. */
export interface BodyReader {
  readonly push: (chunk: Buffer) => void;
  /** The whole body; null if it is empty. */
  readonly end: () => Body | null;
  /** Gives up an unfinished body; may be called twice. */
  readonly close: () => void;
}

/** A reader of one body. */
export function createBodyReader({
  status,
  contentType,
  maxBytes,
  maxDepth,
  secrets,
}: BodyOptions): BodyReader {
  const toUtf8 = createToUtf8(contentType);
  const redactor = createRedactor(secrets);
  const scanner = createScanner(maxDepth);
  const spool = createSpool();
  let received = 0;

  const keep = (bytes: Buffer): void => {
    if (bytes.length === 0) return;
    spool.append(bytes);
    if (!scanner.push(bytes)) throw problemOf(scanner.end(), status);
  };
  const take = (chunk: Buffer): void => {
    received += chunk.length;
    if (received > maxBytes)
      throw new CallFault('BODY_TOO_LARGE', `the body is larger than ${maxBytes} bytes`, status);
    keep(redactor.push(inCharset(() => toUtf8.push(chunk))));
  };
  const finish = (): Body | null => {
    keep(redactor.push(inCharset(toUtf8.end)));
    keep(redactor.end());
    const scan = scanner.end();
    if (scan.problem === 'truncated' && closesWrongly(spool.read, scan.bytes)) throw notJson(status);
    if (scan.problem !== null) throw problemOf(scan, status);
    if (scan.root === 'none') return null;
    const json =
      scan.bytes > SLICE_BYTES || scan.isLines
        ? undefined
        : parseWhole(spool.read(0, scan.bytes), { scan, status });
    return { bytes: scan.bytes, scan, json, read: spool.read, close: spool.close };
  };
  const inCharset = (recode: () => Buffer): Buffer => {
    try {
      return recode();
    } catch {
      throw new CallFault('BODY_NOT_TEXT', 'the body is not in its charset', status);
    }
  };
  const failed = (error: unknown): CallFault => {
    spool.close();
    return faultOf(error, status);
  };

  return {
    push: (chunk) => {
      try {
        take(chunk);
      } catch (error) {
        throw failed(error);
      }
    },
    end: () => {
      try {
        return finish();
      } catch (error) {
        throw failed(error);
      }
    },
    close: spool.close,
  };
}

function parseWhole(bytes: Buffer, { scan, status }: { scan: Scan; status: number }): unknown {
  const text = textOf(scan.bom ? bytes.subarray(3) : bytes);
  try {
    return parseExact(text);
  } catch {
    throw notJson(status);
  }
}

function notJson(status: number): CallFault {
  return new CallFault('BODY_NOT_JSON', 'the body is not JSON', status);
}

function problemOf(scan: Scan, status: number): CallFault {
  if (scan.problem === 'html')
    return new CallFault('BODY_NOT_JSON', 'the body is a web page, not JSON', status);
  if (scan.problem === 'too-deep')
    return new CallFault('BODY_TOO_DEEP', 'the body is nested deeper than maxDepth allows', status);
  if (scan.problem === 'truncated')
    return new CallFault('BODY_TRUNCATED', 'the JSON body ends in its middle', status);
  return notJson(status);
}
