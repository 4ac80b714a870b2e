import type { RawRow } from '#lib/lake/raw/raw.ts';

/** A row of a raw file that says no more than it must, save what is given. */
export function rawRow(given: Partial<RawRow>): RawRow {
  return {
    parentId: null,
    page: 0,
    slice: 0,
    answeredAt: new Date('2026-11-21T03:00:00.123Z'),
    status: 200,
    attempts: 1,
    outcome: 'ok',
    errorCode: null,
    message: null,
    items: 1,
    recordsFrom: null,
    recordsTo: null,
    body: Buffer.from('[{"Id":1}]'),
    mended: null,
    ...given,
  };
}
