import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeStatus } from '#cli/describe-status.ts';
import { statusOf } from '#cli/status-of.ts';
import { readHead } from '#lib/lake/head.ts';
import { applyType } from '#lib/repair/apply-type.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { recover } from '#lib/repair/recover.ts';
import { recoveryOf } from '#lib/repair/recovery-of.ts';
import { rollback } from '#lib/repair/rollback.ts';
import { cliHere, placesOf } from '../cli/support.ts';
import { labConfig } from '../support/export-lab.ts';
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
const STATE = ['state/head.json', 'state/next-head.json', 'state/lease.json'];

/** Three days of a lake whose files of state were put back as they were after the first. */
async function threeDays(putBack: readonly string[] = []): Promise<FixtureLab> {
  const lab = await signageLab(licenses(1));
  await lab.run(FIRST);
  const backup = await Promise.all(putBack.map(async (key) => ({ key, object: await lab.lake.read(key) })));
  await lab.run(SECOND, licenses(2));
  await lab.run(THIRD, licenses(3));
  for (const { key, object } of backup) await lab.lake.write(key, object?.bytes ?? Buffer.from(''));
  return lab;
}

const at = (lab: FixtureLab, name: string) => join(lab.lake.name, name);
/** The days of the table of licences, each with the count that its run was told. */
const counts = (lab: FixtureLab) =>
  lab.flat(`select concat(export_date, ' ', "count"::int) from licenses_daily order by 1`);
const rowOf = (day: string, n: number) => `${day.slice(0, 10)} ${n}`;
const ALL = [rowOf(FIRST, 1), rowOf(SECOND, 2), rowOf(THIRD, 3)];

async function recovered(lab: FixtureLab, operator = operatorServices(lab)) {
  const found = (await recoveryOf(lab.lake, operator.config)) ?? expect.fail();
  await recover(found, operator);
  expect(await recoveryOf(lab.lake, operator.config)).toBeUndefined();
  return found;
}

it.each([
  ['alone', STATE.slice(0, 1)],
  ['with the rest of state', STATE],
])('an older head that was put back %s stops all, and the newest comes back', async (_, keys) => {
  await using lab = await threeDays(keys);
  const operator = operatorServices(lab);
  const message = new RegExp(`of run ${idOf(FIRST)}, .* of run ${idOf(THIRD)}, .*\`recover\``);
  const refusal = { code: 'HEAD_OLDER', message: expect.stringMatching(message) };
  // Also what was committed already, and what is older than the newest.
  for (const day of [FOURTH, FIRST, THIRD]) await expect(lab.run(day)).rejects.toMatchObject(refusal);
  const apply = applyType({ table: 'licenses', column: 'count', type: 'varchar' }, operator);
  await expect(apply).rejects.toMatchObject(refusal);
  await expect(rollback(idOf(THIRD), operator)).rejects.toMatchObject(refusal);
  const status = await statusOf(lab.lake.name, lab.config);
  expect(status.older).toContain('put an older head back');
  const said = describeStatus(status, { lake: lab.lake.name, now: new Date() });
  expect([said[0], said.at(-1)]).toEqual([status.older, expect.stringContaining('recover')]);
  await recovered(lab, operator);
  expect(await counts(lab)).toEqual(ALL);
  expect((await statusOf(lab.lake.name, lab.config)).older).toBeNull();
  await lab.run(FOURTH, licenses(4));
  expect(await counts(lab)).toEqual([...ALL, rowOf(FOURTH, 4)]);
});

it('an older head that was put back may stay: it is rolled back to after recover, and what came since is removed later', async () => {
  await using lab = await threeDays(STATE.slice(0, 1));
  const now = `${THIRD.slice(0, 10)}T09:00:00.000Z`;
  const operator = { ...operatorServices(lab), now: () => new Date(now) };
  await recovered(lab, operator);
  await rollback(idOf(FIRST), operator);
  expect(await counts(lab)).toEqual(ALL.slice(0, 1));
  expect((await readHead(lab.lake))?.head.released).toContainEqual(
    expect.objectContaining({ table: 'licenses', date: SECOND.slice(0, 10), at: now }),
  );
  const status = await statusOf(lab.lake.name, lab.config);
  expect([status.older, status.committed?.runId]).toEqual([null, idOf(FIRST)]);
  // What was taken back is no loss, so recover does not name it.
  await lab.lake.remove(['state/head.json']);
  expect((await recovered(lab, operator)).notBack).toEqual([]);
  await lab.run(FOURTH, licenses(4));
  expect(await counts(lab)).toEqual([rowOf(FIRST, 1), rowOf(FOURTH, 4)]);
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

it('a lost head comes back though the config hides more by now, and the next run hides it', async () => {
  await using lab = await signageLab(licenses(1));
  await lab.run(FIRST);
  await lab.lake.remove(['state/head.json']);
  const hidden = { backup: null, signage: { resources: { licenses: { drop: ['Count'] } } } };
  await recovered(lab, operatorServices({ lake: lab.lake, config: labConfig(lab.server.url, hidden) }));
  await lab.run(SECOND, licenses(2), hidden);
  expect(await lab.flat('select distinct "count" from licenses_daily')).toEqual([null]);
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

/** Players with a screen each: the state of a run that asked for children knows more than a head has. */
const screensOf = (ids: readonly number[]) => {
  const players = ids.map((Id) => ({ Id, Name: `p${Id}` }));
  return fleetRoutes(players, (id) => [{ Id: id * 10, IsOn: true }]);
};

it('a rebuild removes no children where the run has lost what it asked for', async () => {
  await using lab = await signageLab(screensOf([1, 2]));
  await lab.run(FIRST);
  await lab.run(SECOND, screensOf([1, 2, 3]));
  const shown = 'select export_date, record_key from screens_daily order by all';
  const before = await lab.rows(shown);
  await rm(at(lab, `state/runs/${idOf(SECOND)}/batches`), { recursive: true });
  const refusal = { code: 'REBUILD_IMPOSSIBLE', message: expect.stringContaining('what it asked for') };
  await expect(rebuild(SECOND.slice(0, 10), operatorServices(lab))).rejects.toMatchObject(refusal);
  expect(await lab.rows(shown)).toEqual(before);
});

it('recover says first what the tables would show, and does it only when told to; verify ends with 1 where a file is lost', async () => {
  await using lab = await signageLab(screensOf([1, 2]));
  await lab.run(FIRST);
  const places = await placesOf(lab);
  const ask = (...args: string[]) => cliHere(...args, ...places);
  expect((await ask('recover')).stdout).toContain('The head is sound');
  await rm(at(lab, 'state'), { recursive: true });
  const refused = await ask('status');
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('`recover`')]);

  const first = await ask('recover');
  expect(first).toMatchObject({ status: 2, stderr: expect.stringContaining('Nothing is changed') });
  expect(first.stdout).toContain(`as run ${idOf(FIRST)} left them`);
  expect(first.stdout).toContain('players: 2 rows; 1 day');
  expect((await ask('status')).status).toBe(1);

  const done = await ask('recover', '--yes', '--json');
  const back = { runId: idOf(FIRST), days: 1, notBack: [], kept: [], missing: [] };
  expect([done.status, JSON.parse(done.stdout)]).toEqual([0, expect.objectContaining(back)]);
  expect((await ask('status')).stdout).toContain('verify has never compared the files');

  const whole = { status: 0, stdout: expect.stringMatching(/^\d+ files .* 0 damaged or missing/) };
  expect(await ask('verify')).toMatchObject(whole);
  await rm(at(lab, 'tables/players'), { recursive: true });
  const lost = await ask('verify', '--sample', '100');
  const cure = /tables\/players\/.* is missing: build the tables again with `rebuild --from 2026-10-30`\./;
  expect(lost).toMatchObject({ status: 1, stdout: expect.stringMatching(cure) });
  expect((await ask('status')).stdout).toMatch(/verify last read \d+ files .*: 1 damaged or missing/);
});
