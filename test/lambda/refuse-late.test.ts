import { afterEach, beforeEach, expect, it } from 'vitest';
import { lakeKey } from '#lib/lake/keys.ts';
import { refuseLate } from '#lib/lambda/refuse-late.ts';
import { type ExportLab, exportLab, SIGNAGE_ALONE } from '../support/export-lab.ts';

let lab: ExportLab;
beforeEach(async () => {
  lab = await exportLab({ players: 2 }, SIGNAGE_ALONE);
});
afterEach(() => lab[Symbol.asyncDispose]());

const HOUR_MS = 3_600_000;
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * HOUR_MS);
/** The hourly look, so many hours from now. */
const look = (hours: number) => refuseLate({ lake: lab.lake, now: hoursFromNow(hours), lateAfterHours: 28 });
const late = (says: string) =>
  expect.objectContaining({ code: 'RUN_LATE', message: expect.stringContaining(says) });

it('is silent until a commit is older than the schedule promises, then says so', async () => {
  await lab.run(new Date().toISOString());
  await look(27.9);
  await expect(look(29.5)).rejects.toThrow(late('is 29 hours old'));
  // Where something is committed, nobody needs to know since when one looks.
  expect(await lab.lake.read(lakeKey('watch'))).toBeUndefined();
});
