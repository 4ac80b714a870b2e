import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { statusOf } from '#cli/status-of.ts';
import { readHead } from '#lib/lake/head.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { recover } from '#lib/repair/recover.ts';
import { recoveryOf } from '#lib/repair/recovery-of.ts';
import { type FixtureLab, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { fleetRoutes } from '../support/fleet-routes.ts';
import { operatorServices } from '../support/lab-services.ts';
import { withoutSums } from '../support/without-sums.ts';

// The first two days are of a month that is closed.
const DAYS = ['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02'].map((day) => `${day}T03:00:00Z`);
const [FIRST = '', SECOND = '', THIRD = '', FOURTH = ''] = DAYS;
const idOf = (day: string) => day.replaceAll(/[-:]/g, '');
const licenses = (count: number) => ({
  [`${SIGNAGE}/Licenses`]: { body: JSON.stringify([{ Type: 'A', Count: count }]) },
});
const at = (lab: FixtureLab, name: string) => join(lab.lake.name, name);
const counts = async (lab: FixtureLab) =>
  (await lab.rows('select export_date as d, "count" as n from licenses_daily order by 1')).map(
    ({ d, n }) => `${d} ${n}`,
  );
const rowOf = (day: string, n: number) => `${day.slice(0, 10)} ${n}`;
const ALL = [rowOf(FIRST, 1), rowOf(SECOND, 2), rowOf(THIRD, 3)];
const FOUND = ['state', 'state-copy'];

/** Three days of a lake. With a copy, made after the first day, of all but raw. */
async function threeDays(): Promise<FixtureLab> {
  const lab = await signageLab(licenses(1));
  await lab.run(FIRST);
  for (const name of [...FOUND, 'tables'])
    await cp(at(lab, name), join(lab.folder, `old-${name}`), { recursive: true });
  await lab.run(SECOND, licenses(2));
  await lab.run(THIRD, licenses(3));
  return lab;
}

async function recovered(lab: FixtureLab) {
  const found = await recoveryOf(lab.lake, lab.config);
  if (found === undefined) throw new Error('nothing is to be recovered');
  await recover(found, operatorServices(lab));
  expect(await recoveryOf(lab.lake, lab.config)).toBeUndefined();
  return found;
}

/** A player's screens; with the children that a run asks for, its state knows more than a head has. */
const screensOf = (ids: readonly number[]) =>
  fleetRoutes(
    ids.map((Id) => ({ Id, Name: `p${Id}` })),
    (id) => [{ Id: id * 10, IsOn: true }],
  );
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

it('a head of another lake is refused, and the own one comes back', async () => {
  await using lab = await threeDays();
  await using other = await signageLab(licenses(7));
  await other.run(FIRST);
  await cp(at(other, 'state/head.json'), at(lab, 'state/head.json'));
  const refusal = { code: 'LAKE_MIXED', message: expect.stringContaining('`recover`') };
  await expect(lab.run(FOURTH)).rejects.toMatchObject(refusal);
  await expect(statusOf(lab.lake.name, lab.config)).rejects.toMatchObject(refusal);
  expect((await recovered(lab)).head.runId).toBe(idOf(THIRD));
  expect(await counts(lab)).toEqual(ALL);
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
