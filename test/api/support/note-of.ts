import { expect } from 'vitest';

/** The one note of a listing beside which stands what nobody has explained. */
export function noteOf(name: string) {
  return { notes: [{ code: 'BESIDE_UNKNOWN', says: expect.stringContaining(`"${name}`) }] };
}
