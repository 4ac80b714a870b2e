import type { Profile } from './profiles/profile.ts';
import type { WorldOptions } from './world/settings.ts';

/** The world, and how it is served. */
export interface SimulatorOptions extends WorldOptions {
  /** The dialect of the answers: itself, or its name. @default 'reference' */
  readonly profile?: Profile | string | undefined;
  /** 0 = any free port. @default 0 */
  readonly port?: number | undefined;
  /** The day of the clock at the start. @default 0 */
  readonly day?: number | undefined;
  /** The delay of every answer. @default 0 */
  readonly latencyMs?: number | undefined;
  /** The faults, such as `500:0.05,reset:0.02@resource=screens`; see faults/spec.ts. @default none */
  readonly faults?: string | undefined;
  /** Records on a page, in dialects with pages. @default 50 */
  readonly pageSize?: number | undefined;
  /** Called with the new secrets when the fault `rotate` changes them. */
  readonly onRotate?: ((secrets: Secrets) => void) | undefined;
  /** True: keeps the time and the path of every request in `stats`. @default false */
  readonly recordsRequests?: boolean | undefined;
}

/** The values of an export's secrets. */
export interface Secrets {
  readonly signage: { readonly apiKey: string };
  readonly session: { readonly sessionId: string };
  readonly backup: { readonly accessToken: string };
}
