/** Tries of a call. Without Retry-After, the waits between five add up to 0.5 + 1 + 2 + 4 = 7.5 s at most. */
export const MAX_ATTEMPTS = 5;
const BACKOFF_BASE_MS = 500;
const BACKOFF_CAP_MS = 30_000;

/** Lambda's longest time. A call that must wait longer fails. */
export const RETRY_AFTER_MAX_MS = 15 * 60_000;

/** A year: a longer wait from a header may exceed the range of dates. */
const LONGEST_WAIT_MS = 365 * 24 * 3_600_000;

/** Random milliseconds (full jitter) after `failed` tries: below 0.5 s × 2^(failed - 1), at most 30 s. */
export function backoffMs(failed: number, random: () => number): number {
  return random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** (failed - 1));
}

/**
 * The milliseconds of a Retry-After header, in seconds or as an HTTP date, at most a year. Null if the header
 * is missing, unreadable, or names a time in the past.
 */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, LONGEST_WAIT_MS);
  if (!/^[A-Za-z]{3}/.test(text)) return null;
  const date = Date.parse(text);
  return Number.isNaN(date) || date <= now ? null : Math.min(date - now, LONGEST_WAIT_MS);
}
