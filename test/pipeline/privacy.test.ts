import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { fixtureLab, LAB_MASK_KEY, SIGNAGE } from '../support/fixture-lab.ts';
import { expectOneTypeAColumn } from '../support/one-type.ts';

const players = (email: string, phone: string) => ({
  [`${SIGNAGE}/Players`]: { body: JSON.stringify([{ Id: 1, Email: email, Contact: { Phone: phone } }]) },
});
const hide = {
  config: { maskSecret: 'lab/mask' },
  signage: { resources: { players: { mask: ['Email'], drop: ['Contact'] } } },
};
const hmac = (text: string) => createHmac('sha256', LAB_MASK_KEY).update(text).digest('hex');

it('masked values are their HMAC and dropped ones are nowhere, from the first run on', async () => {
  await using lab = await fixtureLab(players('a@example.com', '0123'), hide);
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-21T03:00:00Z', players('b@example.com', '0456'));
  expect(await lab.rows('select * exclude (exported_at, export_run_id) from players')).toEqual([
    { export_source: 'berlin', record_key: '1', player_id: '1', email: hmac('b@example.com'), id: 1 },
  ]);
  expect(await lab.rows('select column_name, old_value, new_value from changes')).toEqual([
    { column_name: 'email', old_value: hmac('a@example.com'), new_value: hmac('b@example.com') },
  ]);
});

it('hiding what was published before hides it in every day, in changes and in rejects', async () => {
  await using lab = await fixtureLab(players('a@example.com', '0123'));
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-21T03:00:00Z', players('b@example.com', '0456'));
  const hidden = await lab.run('2026-11-22T03:00:00Z', undefined, hide);
  expect(hidden.sources[0]?.questions).toEqual([]);
  expect(await lab.rows('select export_date, email from players_daily order by all')).toEqual([
    { export_date: '2026-11-20', email: hmac('a@example.com') },
    { export_date: '2026-11-21', email: hmac('b@example.com') },
    { export_date: '2026-11-22', email: hmac('b@example.com') },
  ]);
  expect(await lab.rows('select column_name, old_value, new_value from changes')).toEqual([
    { column_name: 'email', old_value: hmac('a@example.com'), new_value: hmac('b@example.com') },
  ]);
  await expectOneTypeAColumn(lab.folder);
  expect(await lab.rows('select distinct contact_phone from players_daily')).toEqual([
    { contact_phone: null },
  ]);
  expect(await lab.rows("select count(*) n from changes where column_name = 'contact_phone'")).toEqual([
    { n: 0 },
  ]);
});

it('a name that no record has is a question, not a leak in silence', async () => {
  const settings = { ...hide, signage: { resources: { players: { mask: ['EMail'] } } } };
  await using lab = await fixtureLab(players('a@example.com', '0123'), settings);
  const summary = await lab.run('2026-11-20T03:00:00Z');
  expect(summary.sources[0]?.questions).toEqual([
    'players: drop or mask names "EMail", which no record has: is it spelt as the API has it?',
  ]);
});
