import type { SourceKind } from '#lib/resources.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Route } from '../server/routes.ts';
import type { Listing } from '../world/listing.ts';
import type { Comparability } from './comparability.ts';

/** A body is one text, or pieces of one that are made while they are sent. */
export type Body = string | Buffer | Iterable<string>;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
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

/** A dialect: how the same truth looks on the wire. */
export interface Profile {
  readonly name: string;
  /** The listing that a path asks for, or the answer for a path that does not exist. */
  route(path: string): Route | Answer;
  /** The world's id of the parent in the path; undefined if it cannot be one. */
  parentId(route: Route): number | undefined;
  readonly needsAccountId: (route: Route) => boolean;
  error(kind: SourceKind, status: number, code: string, message: string, detail?: string): Answer;
  /** The records as this dialect serves them, all pages. */
  served(listing: Listing): Listing;
  /** What goes over the wire for one of them, byte for byte. */
  text(record: JsonObject): string;
  /** Undefined: its tables are compared with what it served, not with those of reference. */
  readonly comparability: Comparability | undefined;
  /** Undefined where the query asks for a page in a way that the dialect does not know. */
  render(listing: Listing, call: Call): Answer | undefined;
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
export function textAnswer(body: Body, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status: 200, headers: { 'content-type': JSON_TYPE, ...headers }, body };
}
