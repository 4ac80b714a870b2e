/** Exit codes, which scripts rely on. */
export const EXIT = { complete: 0, failed: 1, usage: 2, partial: 3 } as const;
