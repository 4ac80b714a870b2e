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
  /** An error in the form of this API and dialect. */
  error(status: number, code: string, message: string, detail?: string): Answer;
  /** What the server says of a parent that it does not know. */
  parentUnknown(): Answer;
}

/** What a fault may do to an exchange that meets it. The hooks are in the order of their calls. */
export interface Hooks {
  /** Before anything else. An answer from here is sent in place of the true one. */
  answer(exchange: Exchange): Answer | undefined | Promise<Answer | undefined>;
  /** The listing, before it is rendered. */
  listing(listing: Listing): Listing;
  /** The origin of links to further pages, in place of the simulator's own. */
  linkOrigin(): Promise<string>;
  /** The rendered answer, if its status is 200. */
  change(answer: Answer, exchange: Exchange): Answer;
  /** Sends the answer in place of the simulator, or sends nothing. */
  send(exchange: Exchange, answer: Answer): void | Promise<void>;
}

/** What a fault may change beyond one exchange. */
export interface Reach {
  readonly seed: number;
  /** Changes the key of an API; the old one is refused from now on. */
  rotateKey(kind: ServedKind): void;
  /** The origin of a second server, which records its requests. */
  secondOrigin(): Promise<string>;
  /** Refuses connections until the faults are set again. */
  refuseConnections(): void;
}

/** A fault's own keys in a spec, with their defaults. A list has the possible words; the first is the default. */
export type Keys = Readonly<Record<string, number | string | readonly string[]>>;

export type Settings<K extends Keys = Keys> = {
  readonly [Key in keyof K]: K[Key] extends number
    ? number
    : K[Key] extends readonly (infer Word)[]
      ? Word
      : string;
};

/** One fault. For each hook that it has, a function makes what the fault does from the settings of its spec. */
export type Fault<K extends Keys = Keys> = FaultHead<K> & {
  readonly [Hook in keyof Hooks]?: (settings: Settings<K>, reach: Reach) => Hooks[Hook];
};

interface FaultHead<K extends Keys> {
  readonly name: string;
  /** What happens, in one line. */
  readonly summary: string;
  /** The share of the exchanges that meet it, if the spec has no `:rate`. */
  readonly rate: number;
  /** True for an exchange that may meet it, if the spec names no resource. @default all exchanges of listings */
  readonly about?: (exchange: Exchange) => boolean;
  /** `attempt`: each attempt by itself. `parent`: a parent always or never. `burst`: so many requests in a row. @default 'attempt' */
  readonly decidedBy?: 'attempt' | 'parent' | 'burst';
  readonly keys?: K;
}

/** Removes a fault's keys from its type, so that one table can hold all faults. */
export function fault<const K extends Keys>(row: Fault<K>): Fault {
  return row as unknown as Fault;
}

export function hasParent(exchange: Exchange): boolean {
  return exchange.route?.parent !== undefined;
}

/** True for a listing of parents. */
export function listsParents(exchange: Exchange): boolean {
  const resource = exchange.route?.resource;
  return resource === 'players' || resource === 'backup_storages';
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
