/**
 * Calls keep 1 % more than 1 / rate between them. The call after a late one may be up to 50 ms early. So call
 * number 10 × rate + 2 begins at least 10,100 - 50 ms after the first: any 10 s have at most 10 × rate + 1
 * calls. The server sees them with up to 50 ms of jitter and counts no more.
 */
const SPACING_FACTOR = 1.01;
export const CATCH_UP_MS = 50;
/** 10 s, 50 ms for the early call, and 50 ms for the way to the server. */
const WINDOW_MS = 10_000 + CATCH_UP_MS + 50;

/**
 * Milliseconds between the calls of one of `lanes` lanes. Each has its whole share of a window's 10 × rate +
 * 1 calls. At rate 20, 16 lanes have 12 calls each, one every 842 ms. A gap of 16 / 20 s would allow 13 each
 * and 208 in all.
 */
export function spacingOf(requestsPerSecond: number | null, lanes: number): number {
  if (requestsPerSecond === null) return 0;
  const share = Math.max(1, Math.floor((10 * requestsPerSecond + 1) / lanes));
  return Math.max(((1000 * lanes) / requestsPerSecond) * SPACING_FACTOR, WINDOW_MS / share);
}
