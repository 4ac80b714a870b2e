import type { Body } from '../body/body.ts';
import type { SecretFinder } from '../body/secret-finder.ts';
import type { HeaderFields } from '../headers.ts';

/** One GET as it goes over the wire. */
export interface TransportCall {
  /** Path and query as they go over the wire; nothing resolves its dots. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  /** For the whole call, connecting included. */
  readonly timeoutMs: number;
  readonly secrets: SecretFinder;
}

/** One answer as it came: of a 2xx the body, of others the first 64 kB as text. */
export interface Received {
  readonly status: number;
  readonly headers: HeaderFields;
  readonly body: Body | null;
  readonly errorText: string;
}
