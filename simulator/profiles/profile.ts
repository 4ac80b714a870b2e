import type { JsonObject } from '../json.ts';
import type { ErrorAnswer, ErrorForm } from '../server/errors.ts';
import type { Route } from '../server/routes.ts';
import type { Listing } from '../world/listing.ts';
import type { Answer, Call } from './answer.ts';
import type { Axes } from './axes.ts';
import type { Paging } from './pagings.ts';
import type { Shapes } from './shapes.ts';

/** A dialect: how the world looks on the wire. */
export interface Profile {
  readonly name: string;
  /** The listing that a path requests, or the answer for a path that does not exist. */
  route(path: string): Route | Answer;
  /** The world's id of the parent in the path; undefined if it cannot be one. */
  parentId(route: Route): number | undefined;
  readonly needsAccountId: (route: Route) => boolean;
  readonly error: ErrorAnswer;
  /** The records as this dialect serves them, all pages. */
  served(listing: Listing): Listing;
  /** One record as it goes over the wire, byte for byte. */
  text(record: JsonObject): string;
  readonly dialect: Dialect;
  /** The answer; undefined if the query requests a page in a way that the dialect does not know. */
  render(listing: Listing, call: Call): Answer | undefined;
}

/** A dialect as values: for each API the axes that are not those of reference's signage API. */
export interface DialectRow {
  readonly name: string;
  readonly signage: Partial<Axes>;
  readonly backup: Partial<Axes>;
  /** @default lists */
  readonly shapes?: Partial<Shapes>;
  /** @default 'native' */
  readonly errors?: ErrorForm;
  /** Changes the world's records before they are written. @default no change */
  readonly rewrite?: (listing: Listing) => Listing;
  /** In place of the paging that the axes name. */
  readonly paging?: Paging;
  /** A record as text. @default JSON.stringify */
  readonly text?: (record: JsonObject) => string;
}

/** The same with each axis and each shape. */
export type Dialect = DialectRow & Readonly<{ signage: Axes; backup: Axes; shapes: Shapes }>;
