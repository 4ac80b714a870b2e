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
  readonly route: Route | undefined;
  /** The world's id of the parent in the path. */
  readonly parentId: number | undefined;
  readonly kind: ServedKind;
  /** An error in the form of this API and dialect. */
  error(status: number, code: string, message: string, detail?: string): Answer;
  /** What the server says of a parent that it does not know. */
  parentUnknown(): Answer;
  /** Changes the key of this API, once since the faults were set; the old one is refused from now on. */
  rotateKey(): void;
  /** The origin of a second server, which records its requests. */
  secondOrigin(): Promise<string>;
}

/** What a spec may set of a fault, beyond the exchanges that meet it. */
export interface Settings {
  readonly status: number;
  readonly ms: number;
}

/** What a fault may do to an exchange that meets it. The hooks are in the order of their calls. */
export interface Hooks {
  /** Before anything else. An answer from here is sent in place of the true one. */
  answer(exchange: Exchange, settings: Settings): Answer | undefined | Promise<Answer | undefined>;
  /** The listing, before it is rendered. */
  listing(listing: Listing): Listing;
  /** The origin of links to further pages, in place of the simulator's own. */
  linkOrigin(exchange: Exchange): Promise<string>;
  /** Sends the answer in place of the simulator, or sends nothing. */
  send(exchange: Exchange, answer: Answer): void | Promise<void>;
}

export interface Fault extends Partial<Hooks> {
  readonly name: string;
  /** What happens, in one line. */
  readonly summary: string;
  /** The share of the exchanges that meet it, if the spec has no `:rate`. @default 0.02 */
  readonly rate?: number;
  /** True for an exchange that may meet it, if the spec names no resource. @default all exchanges of listings */
  readonly about?: (exchange: Exchange) => boolean;
  /** True if it meets a parent always or never. @default each attempt by itself */
  readonly isOfParents?: boolean;
  /** The settings that it knows, with their defaults. */
  readonly keys?: Partial<Settings>;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
