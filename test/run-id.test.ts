import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '#lib/errors.ts';
import { exportDate, runIdAt, runTime } from '#lib/run-id.ts';

const moment = fc.date({
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('9998-12-31T00:00:00Z'),
  noInvalidDate: true,
});

describe('run id', () => {
  it('reads back what it wrote, to the second', () => {
    fc.assert(
      fc.property(moment, (date) => {
        const time = runTime(runIdAt(date)).getTime();
        expect(time).toBe(Math.floor(date.getTime() / 1000) * 1000);
      }),
    );
  });

  const WRONG = '20261121 2026-11-21T03:00:00Z 20261121T030000 20261321T030000Z 20260230T030000Z';
  it.each(['', ...WRONG.split(' '), '20261121T240000Z', '20261121T030000Z-2'])(
    'refuses %j and tells the form',
    (text) => {
      const says = `"${text}" is not a run id: write the scheduled time in UTC as YYYYMMDDThhmmssZ, such as 20261121T030000Z.`;
      expect(() => runTime(text)).toThrow(new UsageError(says, 'RUN_ID_INVALID'));
    },
  );
});

it.each([
  ['20261121T030000Z', 'UTC', '2026-11-21'],
  ['20261121T030000Z', 'America/New_York', '2026-11-20'],
  ['20261121T230000Z', 'Europe/Berlin', '2026-11-22'],
  ['20261121T103000Z', 'Pacific/Kiritimati', '2026-11-22'],
  ['20261121T103000Z', 'Asia/Riyadh', '2026-11-21'],
])('export date of %s in %s is %s', (runId, timeZone, expected) => {
  expect(exportDate(runId, timeZone)).toBe(expected);
});
