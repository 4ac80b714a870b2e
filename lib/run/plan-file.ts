import type { RunStatus } from './payloads.ts';

/** What plan decided about a source. Times are ISO. */
export interface SourceVerdict {
  readonly name: string;
  readonly status: RunStatus;
  /** Records of its players or storages listing. */
  readonly listed: number;
  readonly outcomes: {
    readonly ok: number;
    readonly empty: number;
    readonly gone: number;
    readonly denied: number;
    readonly failed: number;
  };
  /** (ok + empty + gone) ÷ all outcomes; 1 where there was nothing to ask for. */
  readonly coverage: number;
  readonly requests: number;
  readonly retries: number;
  /** When the last listing was answered (ok, empty, gone), which is how fresh it is; null where none was. */
  readonly observedAt: string | null;
  /** When the last call ended, whatever came of it; null where none was made. */
  readonly endedAt: string | null;
  /** What only the operator can decide: TABLE.COLUMN and the question. */
  readonly questions: readonly string[];
  /** Listings built otherwise than before, columns whose values do not have the type that earlier runs decided. */
  readonly drift: readonly string[];
  /** The first failure, where it is not complete, and how many there are of every other resource and code. */
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly also?: readonly { readonly resource: string; readonly code: string; readonly count: number }[];
  };
}

/** What plan leaves for publish and commit, besides outcomes, schema and units. */
export interface PlanFile {
  readonly status: RunStatus;
  /** Publishing units, numbered from 0. */
  readonly units: number;
  readonly sources: readonly SourceVerdict[];
  /** How each source's resources were read, for the head. */
  readonly dialects: Readonly<Record<string, unknown>>;
}
