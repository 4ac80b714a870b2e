import { expect, it } from 'vitest';
import { describeStatus } from '#cli/describe-status.ts';
import { statusOf } from '#cli/status-of.ts';
import { readHead } from '#lib/lake/head.ts';
import { applyType } from '#lib/repair/apply-type.ts';
import { recover } from '#lib/repair/recover.ts';
import { recoveryOf } from '#lib/repair/recovery-of.ts';
import { rollback } from '#lib/repair/rollback.ts';
import { type FixtureLab, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { operatorServices } from '../support/lab-services.ts';

const DAYS = ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23'].map((day) => `${day}T03:00:00Z`);
const [FIRST = '', SECOND = '', THIRD = '', FOURTH = ''] = DAYS;
const idOf = (day: string) => day.replaceAll(/[-:]/g, '');
const licenses = (count: number) => ({
  [`${SIGNAGE}/Licenses`]: { body: JSON.stringify([{ Type: 'A', Count: count }]) },
});
const STATE = ['state/head.json', 'state/next-head.json', 'state/lease.json'];

/** Three days of a lake whose files of state were put back as they were after the first. */
async function putBack(keys: readonly string[]): Promise<FixtureLab> {
  const lab = await signageLab(licenses(1));
  await lab.run(FIRST);
  const backup = await Promise.all(keys.map(async (key) => ({ key, object: await lab.lake.read(key) })));
  await lab.run(SECOND, licenses(2));
  await lab.run(THIRD, licenses(3));
  for (const { key, object } of backup) await lab.lake.write(key, object?.bytes ?? Buffer.from(''));
  return lab;
}

const counts = (lab: FixtureLab) =>
  lab.rows('select export_date as d, "count" as n from licenses_daily order by 1');
const rowOf = (day: string, n: number) => ({ d: day.slice(0, 10), n });
const ALL = [rowOf(FIRST, 1), rowOf(SECOND, 2), rowOf(THIRD, 3)];

it.each([
  ['alone', STATE.slice(0, 1)],
  ['with the rest of state', STATE],
])(
  'an older head that was put back %s stops a run and each command, and the newest comes back',
  async (_, keys) => {
    await using lab = await putBack(keys);
    const operator = operatorServices(lab);
    const refusal = {
      code: 'HEAD_OLDER',
      message: expect.stringMatching(
        new RegExp(`of run ${idOf(FIRST)}, .* of run ${idOf(THIRD)}, .*\`recover\``),
      ),
    };
    await expect(lab.run(FOURTH, licenses(4))).rejects.toMatchObject(refusal);
    // What was committed already, and what is older than the newest.
    for (const day of [FIRST, THIRD]) await expect(lab.run(day)).rejects.toMatchObject(refusal);
    await expect(
      applyType({ table: 'licenses', column: 'count', type: 'varchar' }, operator),
    ).rejects.toMatchObject(refusal);
    const status = await statusOf(lab.lake.name, lab.config);
    expect(status.older).toContain('put an older head back');
    const said = describeStatus(status, { lake: lab.lake.name, now: new Date() });
    expect(said[0]).toBe(status.older);
    expect(said.at(-1)).toContain('recover');
    await expect(rollback(idOf(THIRD), operator)).rejects.toMatchObject(refusal);

    await recovered(lab, operator);
    expect(await counts(lab)).toEqual(ALL);
    expect((await statusOf(lab.lake.name, lab.config)).older).toBeNull();
    await lab.run(FOURTH, licenses(4));
    expect(await counts(lab)).toEqual([...ALL, rowOf(FOURTH, 4)]);
  },
);

it('an older head that was put back may stay: it is rolled back to after recover, and what came since is removed later', async () => {
  await using lab = await putBack(STATE.slice(0, 1));
  const operator = { ...operatorServices(lab), now: () => new Date('2026-11-22T09:00:00Z') };
  await recovered(lab, operator);
  await rollback(idOf(FIRST), operator);
  expect(await counts(lab)).toEqual(ALL.slice(0, 1));
  expect((await readHead(lab.lake))?.head.released).toContainEqual(
    expect.objectContaining({ table: 'licenses', date: SECOND.slice(0, 10), at: '2026-11-22T09:00:00.000Z' }),
  );
  const status = await statusOf(lab.lake.name, lab.config);
  expect([status.older, status.committed?.runId]).toEqual([null, idOf(FIRST)]);
  // What was taken back is no loss, so recover does not name it.
  await lab.lake.remove(['state/head.json']);
  expect((await recovered(lab, operator)).notBack).toEqual([]);
  await lab.run(FOURTH, licenses(4));
  expect(await counts(lab)).toEqual([rowOf(FIRST, 1), rowOf(FOURTH, 4)]);
});

async function recovered(lab: FixtureLab, operator: ReturnType<typeof operatorServices>) {
  const found = await recoveryOf(lab.lake, lab.config);
  if (found === undefined) throw new Error('the lake is sound');
  await recover(found, operator);
  return found;
}
