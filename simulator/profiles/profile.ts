import type { JsonObject } from '../json.ts';
import type { ServedKind } from '../kind.ts';
import type { Route } from '../server/routes.ts';
import type { Listing } from '../world/listing.ts';
import type { Answer, Call } from './answer.ts';
import type { Dialect } from './dialect.ts';

/** A dialect: how the world looks on the wire. */
export interface Profile {
  readonly name: string;
  /** The listing that a path requests, or the answer for a path that does not exist. */
  route(path: string): Route | Answer;
  /** The world's id of the parent in the path; undefined if it cannot be one. */
  parentId(route: Route): number | undefined;
  readonly needsAccountId: (route: Route) => boolean;
  error(kind: ServedKind, status: number, code: string, message: string, detail?: string): Answer;
  /** The records as this dialect serves them, all pages. */
  served(listing: Listing): Listing;
  /** One record as it goes over the wire, byte for byte. */
  text(record: JsonObject): string;
  readonly dialect: Dialect;
  /** The answer; undefined if the query requests a page in a way that the dialect does not know. */
  render(listing: Listing, call: Call): Answer | undefined;
}
