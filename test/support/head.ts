import type { Head } from '#lib/lake/head.ts';

/** A head of one table and date, save what is given. */
export function head(given: Partial<Head> = {}): Head {
  return {
    runId: '20261121T030000Z',
    attempt: 1,
    scheduledAt: '2026-11-21T03:00:00.000Z',
    committedAt: '2026-11-21T03:05:00.000Z',
    exportDate: '2026-11-21',
    status: 'complete',
    schema: 'state/runs/20261121T030000Z/1/schema.json',
    tables: {
      screens: {
        newest: { date: '2026-11-21', run: '20261121T030000Z.1', parts: [0] },
        dates: { '2026-11-21': { run: '20261121T030000Z.1', parts: [0] } },
      },
    },
    dialects: { berlin: { screens: { envelope: 'bare' } } },
    previous: null,
    sources: ['berlin'],
    released: [],
    ...given,
  };
}

/** The same as `state/head.json` holds it; its dates are of one month. */
export function storedHead({ released: _, ...rest }: Head): object {
  return { version: 3, ...rest, months: {}, releasedMonths: [], released: [] };
}
