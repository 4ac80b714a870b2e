import type { Body } from './body/body.ts';
import type { ApiCode } from './codes.ts';
import type { HeaderFields } from './headers.ts';
import type { Stretch } from './wire/line.ts';

interface Called {
  /** The status of the last answer; null if none came. */
  readonly status: number | null;
  /** HTTP requests, with retries and redirects. */
  readonly attempts: number;
  /** When the last answer was complete, or the client gave up. */
  readonly answeredAt: Date;
  /** Milliseconds from the last call's beginning to its answer's end. */
  readonly latencyMs: number;
  /** The stretches of the connections that brought its answers. */
  readonly stretches: ReadonlySet<Stretch>;
}

/** A 2xx with a JSON body, or without one (204). The caller closes the body. */
export interface Answer extends Called {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: HeaderFields;
  readonly body: Body | null;
  /** False: it ends with its connection, however that ended. */
  readonly hasEnd: boolean;
}

/** The end of an item without an answer. */
export interface Refusal extends Called {
  readonly kind: 'refusal';
  readonly outcome: 'gone' | 'denied' | 'failed';
  readonly code: ApiCode;
  /** What happened and the cure, without URL, body or secret. */
  readonly message: string;
  /** Before this time the server wants no further call for the item; null without such a wish. */
  readonly notBefore: Date | null;
  /** The beginning of its body, without secrets; empty without a body. */
  readonly text: string;
}

export type Reply = Answer | Refusal;
