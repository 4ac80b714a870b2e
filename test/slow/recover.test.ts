import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { statusOf } from '#cli/status-of.ts';
import { readHead } from '#lib/lake/head.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { type FixtureLab, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { operatorServices } from '../support/lab-services.ts';
import { withoutSums } from '../support/without-sums.ts';

// The first two days are of a month that is closed.
const DAYS = ['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02'].map((day) => `${day}T03:00:00Z`);
const [FIRST = '', SECOND = '', THIRD = ''] = DAYS;
const idOf = (day: string) => day.replaceAll(/[-:]/g, '');
const licenses = (count: number) => ({
  [`${SIGNAGE}/Licenses`]: { body: JSON.stringify([{ Type: 'A', Count: count }]) },
});
const at = (lab: FixtureLab, name: string) => join(lab.lake.name, name);
/** A player's screens; with the children that a run asks for, its state knows more than a head has. */
const screensOf = (ids: readonly number[]) => ({
  [`${SIGNAGE}/Players`]: { body: JSON.stringify(ids.map((Id) => ({ Id, Name: `p${Id}` }))) },
  ...Object.fromEntries(
    ids.map((id) => [`${SIGNAGE}/Players/${id}/Screens`, { body: `[{"Id":${id * 10},"IsOn":true}]` }]),
  ),
});
const SCREENS = `
  select export_date || ' ' || string_agg(record_key, ',' order by record_key) as shown
  from screens_daily group by export_date order by 1`;
it('a rebuild removes no children where the run has lost what it asked for', async () => {
  await using lab = await signageLab(screensOf([1, 2]));
  await lab.run(FIRST);
  await lab.run(SECOND, screensOf([1, 2, 3]));
  const before = await lab.rows(SCREENS);
  await rm(at(lab, `state/runs/${idOf(SECOND)}/batches`), { recursive: true });
  await expect(rebuild(SECOND.slice(0, 10), operatorServices(lab))).rejects.toMatchObject({
    code: 'REBUILD_IMPOSSIBLE',
    message: expect.stringContaining('what it asked for'),
  });
  expect(await lab.rows(SCREENS)).toEqual(before);
});

it('a lake of an earlier version has no id, and gets one with its next start; a lost marker keeps its id', async () => {
  await using lab = await signageLab(licenses(1));
  await lab.run(FIRST);
  await withoutSums(lab.lake);
  await statusOf(lab.lake.name, lab.config);
  await lab.run(SECOND, licenses(2));
  const id = (await readHead(lab.lake))?.head.lake;
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  await rm(at(lab, 'state-copy/lake.json'));
  await lab.run(THIRD, licenses(3));
  expect((await readHead(lab.lake))?.head.lake).toBe(id);
  expect(JSON.parse(String((await lab.lake.read('state-copy/lake.json'))?.bytes))).toEqual({ format: 1, id });
});
