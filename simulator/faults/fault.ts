import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServedKind } from '../kind.ts';
import type { Answer } from '../profiles/answer.ts';
import type { Route } from '../server/routes.ts';
import type { Listing } from '../world/listing.ts';

/** One call, as a fault sees it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Path and query. */
  readonly target: string;
  /** 1 for the first request since the faults were set. */
  readonly number: number;
  /** 1 for the first request of this target since the faults were set. */
  readonly attempt: number;
  readonly day: number;
  readonly route: Route | undefined;
  /** The world's id of the parent in the path. */
  readonly parentId: number | undefined;
  readonly kind: ServedKind;
  /** An error in the form that this API and dialect give it. */
  error(status: number, code: string, message: string): Answer;
}

/** What a fault does to the exchanges that meet it; each hook at its place in the making of an answer. */
export interface Behaviour {
  /** Before anything else. An answer given here is sent in place of the true one. */
  answer?(exchange: Exchange): Answer | undefined | Promise<Answer | undefined>;
  /** The listing, before it is rendered. */
  listing?(listing: Listing): Listing;
  /** Origin of the links to further pages, in place of the simulator's own. */
  linkOrigin?(): Promise<string>;
  /** The rendered answer; only those with status 200. */
  change?(answer: Answer, exchange: Exchange): Answer;
  /** Sends the answer, or does not, in place of the simulator. */
  send?(exchange: Exchange, answer: Answer): void | Promise<void>;
}

/** What a fault may reach beyond the one exchange. */
export interface Reach {
  readonly seed: number;
  /** The key of that API changes; the old one is refused from now on. */
  rotateKey(kind: ServedKind): void;
  /** Origin of another server that records what it is sent. */
  secondOrigin(): Promise<string>;
  /** From now on connections are refused, until the faults are set anew. */
  refuseConnections(): void;
}

/** A fault's own keys in a spec with their defaults; of a list of words one is to be chosen, at first the first. */
export type Keys = Readonly<Record<string, number | string | readonly string[]>>;

export type Settings<K extends Keys = Keys> = {
  readonly [Key in keyof K]: K[Key] extends number
    ? number
    : K[Key] extends readonly (infer Word)[]
      ? Word
      : string;
};

export interface Fault<K extends Keys = Keys> {
  readonly name: string;
  /** What happens, in one line. */
  readonly summary: string;
  /** Share of the exchanges that meet it, unless the spec says. */
  readonly rate: number;
  /** Exchanges that it is about, where the spec names no resource. @default all of listings */
  readonly about?: (exchange: Exchange) => boolean;
  /** `parent`: a parent meets it always or never. `burst`: so many requests in a row. @default each attempt anew */
  readonly decidedBy?: 'attempt' | 'parent' | 'burst';
  readonly keys?: K;
  create(settings: Settings<K>, reach: Reach): Behaviour;
}

/** Keeps the kinds of a fault's keys inside it, and lets the table hold all faults. */
export function fault<const K extends Keys>(definition: Fault<K>): Fault {
  return { ...definition, create: (settings, reach) => definition.create(settings as Settings<K>, reach) };
}

export function hasParent(exchange: Exchange): boolean {
  return exchange.route?.parent !== undefined;
}

/** The listings on whose records other listings depend. */
export function listsParents(exchange: Exchange): boolean {
  const resource = exchange.route?.resource;
  return resource === 'players' || resource === 'backup_storages';
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
