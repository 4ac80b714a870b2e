/** Limits for the parts of a call's time; the caller limits the total. */
export interface Limits {
  /** For TCP and TLS: 3 SYNs (1 + 2 + 4 s) and a slow handshake. */
  readonly connectMs: number;
  /** Until the first byte: a server may collect 100,000 players at 1,000 a second; three times that. */
  readonly firstByteMs: number;
  /** Between two bytes of a body: slow listings take up to 12 s (docs/understand/real-systems.md). */
  readonly idleMs: number;
}

export const DEFAULT_LIMITS: Limits = { connectMs: 10_000, firstByteMs: 300_000, idleMs: 30_000 };

/** A player's listing takes up to 12 s (docs/understand/real-systems.md); five times that. */
export const CHILD_TIMEOUT_MS = 60_000;
/** 2 GiB at 30 Mbit/s take 9.5 minutes, and Lambda ends at 15. */
export const LISTING_TIMEOUT_MS = 600_000;
/** A child answer of 1 kB a screen has room for 65,536 screens. */
export const CHILD_MAX_BYTES = 64 * 1024 * 1024;
/**
 * The largest record of a child answer. Collect has 8 MiB for each call (infra/stages.ts): the bytes, their
 * mended form at up to two bytes a character, and the row that waits for its file. One call at a time has its
 * records parsed: two million bytes of empty lists take 100 MiB.
 */
export const CHILD_RECORD_BYTES = 2 * 1024 * 1024;
/** List reads one listing at a time in 1,769 MiB. In 1 GB DuckDB reads a record of 48 MB, not of 245 MB. */
export const LISTING_RECORD_BYTES = 64 * 1024 * 1024;
/**
 * The most values of a larger record: each may be an empty list, which takes 3 bytes of the body and some 150
 * in memory. List has 885 MiB for parsed records.
 */
export const RECORD_VALUES = 3_000_000;
/** Only a sentence of an error's body is needed. */
export const ERROR_BODY_BYTES = 64 * 1024;
