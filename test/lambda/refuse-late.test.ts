import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

describe('an installation that never commits', () => {
  it('is late when the first run is, counted from the first look, whenever that is', async () => {
    for (const hours of [5000, 5001, 5027.9]) await look(hours);
    await expect(look(5029.5)).rejects.toThrow(late('Nothing was ever committed since '));
    await expect(look(9000)).rejects.toThrow(late('4000 hours ago'));
  });

  it('is looked at twice at once, and counts from the earlier', async () => {
    await Promise.all([look(0), look(0), look(0)]);
    const first = await lab.lake.read(lakeKey('watch'));
    await look(27);
    expect((await lab.lake.read(lakeKey('watch')))?.etag).toBe(first?.etag);
    await expect(look(29)).rejects.toThrow(late('29 hours ago'));
  });

  it('is late no more once a run is committed', async () => {
    await look(-100);
    await lab.run(new Date().toISOString());
    await look(1);
  });
});

it('is silent until a commit is older than the schedule promises, then says so', async () => {
  await lab.run(new Date().toISOString());
  await look(27.9);
  await expect(look(29.5)).rejects.toThrow(late('is 29 hours old'));
  // Where something is committed, nobody needs to know since when one looks.
  expect(await lab.lake.read(lakeKey('watch'))).toBeUndefined();
});
