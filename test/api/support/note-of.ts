import { expect } from 'vitest';

/** The one note of a listing with an unexplained fact next to its records. */
export function noteOf(name: string) {
  return { notes: [{ code: 'BESIDE_UNKNOWN', says: expect.stringContaining(`"${name}`) }] };
}
