import { expect, it } from 'vitest';
import { localApiServices } from '#cli/local-api-services.ts';
import { LOCAL_HOLDER } from '#cli/local-holder.ts';
import { localServices } from '#cli/local-services.ts';
import { runStages } from '#cli/run-locally.ts';
import { applyType } from '#lib/repair/apply-type.ts';
import { newMaskKey } from '#lib/repair/new-mask-key.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { startRepair } from '#lib/repair/start-repair.ts';
import { labConfig } from '../support/export-lab.ts';
import { fixtureLab, LAB_MASK_KEY, type Routes, SIGNAGE } from '../support/fixture-lab.ts';
import { maskOf } from '../support/hidden-player.ts';

const served = (records: readonly object[]): Routes => ({
  [`${SIGNAGE}/Players`]: { body: JSON.stringify(records) },
});
/** Settings that mask fields of players. */
const masking = (...mask: string[]) => ({
  config: { maskSecret: 'lab/mask' },
  signage: { resources: { players: { mask } } },
});
const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T03:00:00Z`;
type Lab = Awaited<ReturnType<typeof fixtureLab>>;
const servicesOf = (lab: Lab, key = LAB_MASK_KEY) => ({
  ...localServices(lab.lake),
  ...LOCAL_HOLDER,
  maskKey: async () => key,
});
const changesOf = (lab: Lab) =>
  lab.rows('select column_name, old_value, new_value from changes order by export_run_id, column_name');

it('equal values of two columns have masks that nobody can link', async () => {
  await using lab = await fixtureLab(
    served([{ Id: 1, Email: 'same', Phone: 'same' }]),
    masking('Email', 'Phone'),
  );
  await lab.run(at(1));
  expect(await lab.rows('select email, phone from players')).toEqual([
    { email: maskOf('players.email', 'same'), phone: maskOf('players.phone', 'same') },
  ]);
});

it('a mask is made of what the cell says, so switching it on changes nothing', async () => {
  const record = (clock: string, isOn: string, size: string) => ({
    Id: 1,
    CreatedAt: clock,
    Active: isOn,
    Size: size,
  });
  const one = served([record('2026-01-02T03:04:05+02:00', 'True', 'x')]);
  await using lab = await fixtureLab(one);
  await lab.run(at(1));
  const masked = masking('CreatedAt', 'Active', 'Size');
  await lab.run(at(2), one, masked);
  await lab.run(at(3), served([record('2026-01-02T01:04:05Z', 'true', 'x')]), masked);
  expect(await changesOf(lab)).toEqual([]);
  const cells = {
    created_at: maskOf('players.created_at', '2026-01-02T01:04:05.000Z'),
    active: maskOf('players.active', 'true'),
    size: maskOf('players.size', 'x'),
  };
  expect(await lab.rows('select distinct created_at, active, size from players_daily')).toEqual([cells]);
});

it('mask on, off and on again hashes once, in tables and changes, with raw and without', async () => {
  for (const rawRetentionDays of [30, 0]) {
    const said = (email: string) => served([{ Id: 1, Email: email }]);
    await using lab = await fixtureLab(said('a'));
    const on = { ...masking('Email'), config: { maskSecret: 'lab/mask', rawRetentionDays } };
    const off = { config: { rawRetentionDays } };
    await lab.run(at(1), said('a'), on);
    await lab.run(at(2), said('b'), on);
    await lab.run(at(3), said('b'), off);
    const days = 'select export_date as day, email from players_daily order by 1';
    const shown = rawRetentionDays > 0;
    expect(await lab.rows(days)).toEqual([
      { day: '2026-11-01', email: shown ? 'a' : maskOf('players.email', 'a') },
      { day: '2026-11-02', email: shown ? 'b' : maskOf('players.email', 'b') },
      { day: '2026-11-03', email: 'b' },
    ]);
    await lab.run(at(4), said('c'), on);
    expect(await lab.rows(days)).toEqual(
      ['a', 'b', 'b', 'c'].map((email, day) => ({
        day: `2026-11-0${day + 1}`,
        email: maskOf('players.email', email),
      })),
    );
    const changes = await changesOf(lab);
    expect(changes.at(0)).toEqual({
      column_name: 'email',
      old_value: maskOf('players.email', 'a'),
      new_value: maskOf('players.email', 'b'),
    });
    expect(changes.at(-1)).toEqual({
      column_name: 'email',
      old_value: maskOf('players.email', 'b'),
      new_value: maskOf('players.email', 'c'),
    });
  }
});

it('a masked column that cannot be shown again for want of raw stays masked, and the run asks', async () => {
  await using lab = await fixtureLab(served([{ Id: 1, Size: 5 }]));
  const on = { ...masking('Size'), config: { maskSecret: 'lab/mask', rawRetentionDays: 0 } };
  await lab.run(at(1), undefined, on);
  const { sources } = await lab.run(at(2), undefined, {
    config: { maskSecret: 'lab/mask', rawRetentionDays: 0 },
  });
  expect(await lab.rows('select distinct size from players_daily')).toEqual([
    { size: maskOf('players.size', '5') },
  ]);
  expect(sources[0]?.questions.join()).toContain('players.size as bigint would lose 1 values of 1 dates');
  const type = { table: 'players', column: 'size', type: 'bigint', acceptLoss: true } as const;
  await applyType(type, { ...servicesOf(lab), config: { ...lab.config, rawRetentionDays: 0 } });
  expect(await lab.rows('select export_date as day, size from players_daily order by 1')).toEqual([
    { day: '2026-11-01', size: null },
    { day: '2026-11-02', size: null },
  ]);
});

it('a value that its type does not hold is masked in rejects, and so is the second value of a key', async () => {
  const records = Array.from({ length: 150 }, (_, index) => `{"Id":${index},"Size":${index}}`);
  const body = `[${[...records, '{"Id":900,"Size":"secret"}', '{"Id":901,"Size":1,"Size":2}'].join(',')}]`;
  await using lab = await fixtureLab({ [`${SIGNAGE}/Players`]: { body } }, masking('Size'));
  await lab.run(at(1));
  expect(await lab.rows('select record_key, raw_value, reason from rejects order by 1')).toEqual([
    { record_key: '900', raw_value: maskOf('players.size', 'secret'), reason: 'type' },
    { record_key: '901', raw_value: maskOf('players.size', '2'), reason: 'name' },
  ]);
});

it('rebuild and schema apply mask as a run does', async () => {
  await using lab = await fixtureLab(served([{ Id: 1, Email: '12', Note: '1' }]), masking('Email'));
  await lab.run(at(1));
  const services = { ...servicesOf(lab), config: lab.config };
  await applyType({ table: 'players', column: 'email', type: 'bigint' }, services);
  await rebuild('2026-11-01', services);
  expect(await lab.rows('select email from players')).toEqual([{ email: maskOf('players.email', '12') }]);
});

it('runs that showed their values are repaired and made again by a config that masks them', async () => {
  let isDown = true;
  const licenses = () => (isDown ? { status: 400, body: '{}' } : { body: '[]' });
  await using lab = await fixtureLab({
    ...served([{ Id: 1, Email: 'a' }]),
    [`${SIGNAGE}/Licenses`]: licenses,
  });
  for (const day of [1, 2]) await lab.run(at(day));
  isDown = false;
  const config = labConfig(lab.server.url, masking('Email'));
  const secrets = { readKey: async () => LAB_MASK_KEY, read: async () => ({ apiKey: 'fixture-key' }) };
  await using api = localApiServices(localServices(lab.lake), secrets, () => 0);
  const services = { ...api, ...LOCAL_HOLDER, config };
  const { input } = await startRepair(undefined, services);
  if (input === undefined) throw new Error('nothing is to be repaired');
  expect(await runStages(input, services)).toMatchObject({ status: 'complete' });
  const masked = { email: maskOf('players.email', 'a') };
  expect(await lab.rows('select email from players_daily')).toEqual([masked, masked]);
  await rebuild('2026-11-01', services);
  expect(await lab.rows('select email from players_daily')).toEqual([masked, masked]);
});

const OTHER = 'another key of masks';

it('another key of masks is refused, and a command makes all masks anew with it', async () => {
  const said = (email: string) => served([{ Id: 1, Email: email }]);
  await using lab = await fixtureLab(said('a'), masking('Email'));
  await lab.run(at(1));
  await lab.run(at(2), said('b'));
  const services = { ...servicesOf(lab, OTHER), config: lab.config };
  const apply = applyType({ table: 'players', column: 'email', type: 'boolean' }, services);
  await expect(apply).rejects.toMatchObject({ code: 'MASK_KEY_CHANGED' });
  await newMaskKey({}, services);
  const now = (text: string) => maskOf('players.email', text, OTHER);
  expect(await lab.rows('select email from players_daily order by export_date')).toEqual([
    { email: now('a') },
    { email: now('b') },
  ]);
  const old = (text: string) => now(maskOf('players.email', text));
  expect(await changesOf(lab)).toEqual([{ column_name: 'email', old_value: old('a'), new_value: old('b') }]);
  await expect(lab.run(at(3), said('b'))).rejects.toMatchObject({ code: 'MASK_KEY_CHANGED' });
});

it('a new key is refused where masks cannot be made anew, unless the loss is accepted', async () => {
  const settings = { ...masking('Email'), config: { maskSecret: 'lab/mask', rawRetentionDays: 0 } };
  await using lab = await fixtureLab(served([{ Id: 1, Email: 'a' }]), settings);
  await lab.run(at(1));
  const services = { ...servicesOf(lab, OTHER), config: lab.config };
  await expect(newMaskKey({}, services)).rejects.toMatchObject({ code: 'HISTORY_LOST' });
  await newMaskKey({ acceptLoss: true }, services);
  expect(await lab.rows('select email from players')).toEqual([{ email: null }]);
  expect(await lab.rows('select raw_value from rejects')).toEqual([
    { raw_value: maskOf('players.email', maskOf('players.email', 'a'), OTHER) },
  ]);
});
