import { slice } from './pages.ts';

/** No round number, and more than two pages of ten. */
export const COUNT = 27;
export const SIZE = 10;
export const records = (from: number, to: number) => slice(from, to - from, COUNT);
export const ALL = records(0, COUNT);

export const from = (start: number, size = SIZE) => records(start, start + size);

/** What a member says of the next page; null behind the last. */
export const after = (start: number) => (start + SIZE < COUNT ? `k${start + SIZE}` : null);

export const more = (page: number) => (page + 1) * SIZE < COUNT;
