import type { Json } from '../json.ts';

/** A body is one text, or pieces of one that are made while they are sent. */
export type AnswerBody = string | Buffer | Iterable<string>;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AnswerBody;
  /** Compressed for clients that accept it, whatever the simulator's options say. */
  readonly gzip?: boolean;
}

/** What was asked for, as far as it decides which page is given and what links look like. */
export interface Call {
  readonly path: string;
  readonly query: URLSearchParams;
  /** Origin of links that are absolute. */
  readonly origin: string;
  /** All links are absolute: they lead to another origin. */
  readonly absoluteLinks: boolean;
  /** Records a page; undefined: as the dialect is by itself. */
  readonly pageSize: number | undefined;
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function jsonAnswer(
  status: number,
  value: Json,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, headers: { 'content-type': JSON_TYPE, ...headers }, body: JSON.stringify(value) };
}

/** 200 with a body that is written by hand. */
export function textAnswer(body: AnswerBody, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status: 200, headers: { 'content-type': JSON_TYPE, ...headers }, body };
}
