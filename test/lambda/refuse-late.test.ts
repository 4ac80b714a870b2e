import { afterEach, beforeEach, expect, it } from 'vitest';
import { refuseLate } from '#lib/lambda/refuse-late.ts';
import { type ExportLab, exportLab } from '../support/export-lab.ts';

let lab: ExportLab;
beforeEach(async () => {
  lab = await exportLab({ players: 2 });
});
afterEach(() => lab[Symbol.asyncDispose]());

const HOUR_MS = 3_600_000;
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * HOUR_MS);

it('is silent while nothing was ever committed, however long', async () => {
  await refuseLate({ lake: lab.lake, now: hoursFromNow(10_000), lateAfterHours: 28 });
});

it('is silent until a commit is older than the schedule promises, then says so', async () => {
  await lab.run(new Date().toISOString());
  await refuseLate({ lake: lab.lake, now: hoursFromNow(27.9), lateAfterHours: 28 });
  await expect(refuseLate({ lake: lab.lake, now: hoursFromNow(29.5), lateAfterHours: 28 })).rejects.toThrow(
    expect.objectContaining({ code: 'RUN_LATE', message: expect.stringContaining('is 29 hours old') }),
  );
});
