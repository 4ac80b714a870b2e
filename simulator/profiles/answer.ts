import type { Json } from '../json.ts';

/** One text, or pieces of a text that are made while they are sent. */
export type AnswerBody = string | Buffer | Iterable<string | Buffer>;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AnswerBody;
  /** True: compressed for clients that accept it. */
  readonly gzip?: boolean;
}

/** The part of a request that decides which page is returned and how its links look. */
export interface Call {
  readonly path: string;
  readonly query: URLSearchParams;
  /** The origin of absolute links. */
  readonly origin: string;
  /** True: all links are absolute, for they lead to another origin. */
  readonly absoluteLinks: boolean;
  /** Records on a page. @default the dialect's own number */
  readonly pageSize: number | undefined;
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function jsonAnswer(
  status: number,
  value: Json,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { ...textAnswer(JSON.stringify(value), headers), status };
}

export function firstPiece(body: AnswerBody): string | Buffer {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  const [first = ''] = body;
  return first;
}

/** 200 with this body. */
export function textAnswer(body: AnswerBody, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status: 200, headers: { 'content-type': JSON_TYPE, ...headers }, body };
}
