import type { Body } from './body/body.ts';
import type { ApiCode } from './codes.ts';
import type { HeaderFields } from './headers.ts';

interface Called {
  /** Of the last answer; null where none came. */
  readonly status: number | null;
  /** Calls made, retries and redirects included. */
  readonly attempts: number;
  /** When the last answer had come whole, or was given up. */
  readonly answeredAt: Date;
  /** From the last call's beginning to its answer's end. */
  readonly latencyMs: number;
}

/** A 2xx with a JSON body, or with none (204). Whoever gets one closes the body. */
export interface Answer extends Called {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: HeaderFields;
  readonly body: Body | null;
}

/** The item's end without an answer. */
export interface Refusal extends Called {
  readonly kind: 'refusal';
  readonly outcome: 'gone' | 'denied' | 'failed';
  readonly code: ApiCode;
  /** What happened and the cure; neither URL, nor body, nor secret. */
  readonly message: string;
}

export type Reply = Answer | Refusal;
