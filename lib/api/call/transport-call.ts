import type { Body } from '../body/body.ts';
import type { SecretFinder } from '../body/secret-finder.ts';
import type { HeaderFields } from '../headers.ts';

/** One GET as it goes over the wire. */
export interface TransportCall {
  /** Path and query as they are sent, with all their dots. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  /** Lists and objects within each other in the body. */
  readonly maxDepth: number;
  /** For the whole call, connecting included. */
  readonly timeoutMs: number;
  readonly secrets: SecretFinder;
}

/** One answer: the body of a 2xx; for other statuses, the first 64 kB as text. */
export interface Received {
  readonly status: number;
  readonly headers: HeaderFields;
  readonly body: Body | null;
  readonly errorText: string;
}
