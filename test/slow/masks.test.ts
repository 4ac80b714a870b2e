import { expect, it } from 'vitest';
import { describeRun } from '#cli/print-run.ts';
import { applyType } from '#lib/repair/apply-type.ts';
import { newMaskKey } from '#lib/repair/new-mask-key.ts';
import { questionText } from '#lib/sources/question.ts';
import { signage } from '#lib/sources/signage.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { maskOf } from '../support/mask-of.ts';
import { operatorOf } from '../support/runs.ts';

const OTHER = 'another key of masks';
const served = (record: object) => ({
  [`${SIGNAGE}/Players`]: { body: JSON.stringify([{ Id: 1, ...record }]) },
});
/** Settings that mask fields of players. */
const masking = (rawRetentionDays: number, ...mask: string[]) => {
  const config = { maskSecret: 'lab/mask', rawRetentionDays };
  return { config, signage: { resources: { players: { mask } } } };
};
const at = (day: number) => `2026-11-0${day}T03:00:00Z`;
type Lab = Awaited<ReturnType<typeof signageLab>>;
const otherKey = (lab: Lab) => operatorOf(lab, { maskKey: async () => OTHER });
const days = (lab: Lab) => lab.rows('select email, phone from players_daily order by export_date');

it('a value is masked once and with its column, in changes too; a command makes all masks again for another key', async () => {
  const of = (text: string) => served({ Email: text, Phone: text });
  const on = masking(30, 'Email', 'Phone');
  await using lab = await signageLab(of('a'), on);
  await lab.run(at(1));
  await lab.run(at(2), of('b'), on);
  await lab.run(at(3), of('b'), { config: { maskSecret: 'lab/mask' } });
  expect(await days(lab)).toEqual(['a', 'b', 'b'].map((text) => ({ email: text, phone: text })));
  const again = await lab.run(at(4), of('c'), on);
  expect(describeRun(again, { lake: 'lake' }).at(-1)).toMatch(
    /^Hidden in all days since this run: players.email, players.phone\./,
  );
  const masked = (text: string, key?: string) => ({
    email: maskOf('players.email', text, key),
    phone: maskOf('players.phone', text, key),
  });
  expect(await days(lab)).toEqual(['a', 'b', 'b', 'c'].map((text) => masked(text)));
  const changes =
    "select old_value, new_value from changes where column_name = 'email' order by export_run_id";
  const told = ['a', 'b', 'b', 'c'].map((text) => maskOf('players.email', text));
  expect(await lab.flat(changes)).toEqual(told);
  const apply = applyType({ table: 'players', column: 'email', type: 'boolean' }, otherKey(lab));
  await expect(apply).rejects.toMatchObject({ code: 'MASK_KEY_CHANGED' });
  await newMaskKey({}, otherKey(lab));
  expect(await days(lab)).toEqual(['a', 'b', 'b', 'c'].map((text) => masked(text, OTHER)));
  await expect(lab.run(at(5), of('c'), on)).rejects.toMatchObject({ code: 'MASK_KEY_CHANGED' });
});

it('masks whose raw answers are gone stay, are asked about, and are lost by the operator’s word alone', async () => {
  await using lab = await signageLab(served({ Size: 5 }), masking(0, 'Size'));
  await lab.run(at(1));
  const config = { maskSecret: 'lab/mask', rawRetentionDays: 0 };
  const { sources } = await lab.run(at(2), undefined, { config });
  const mask = maskOf('players.size', '5');
  expect(await lab.flat('select distinct size from players_daily')).toEqual([mask]);
  const asked = sources[0]?.questions.map(questionText).join();
  expect(asked).toContain('players.size as bigint would lose 1 values of 1 dates');
  await lab.run(at(3), undefined, masking(0, 'Size'));
  await expect(newMaskKey({}, otherKey(lab))).rejects.toMatchObject({ code: 'HISTORY_LOST' });
  await newMaskKey({ acceptLoss: true }, otherKey(lab));
  expect(await lab.flat('select distinct size from players_daily')).toEqual([null]);
  const again = maskOf('players.size', mask, OTHER);
  expect(await lab.flat('select distinct raw_value from rejects')).toEqual([again]);
});

it('a name that no record has, or that stands within a list, is a question and no leak in silence', async () => {
  const contacts = [{ Phone: '0123', Ok: 1 }, [{ Phone: '0456' }]];
  const body = JSON.stringify(contacts.map((Contact, index) => ({ Id: index + 1, Contact })));
  const players = { drop: ['Mail', 'Contact.Phone'] };
  const routes = { [`${SIGNAGE}/Players`]: { body } };
  await using lab = await signageLab(routes, { signage: { resources: { players } } });
  const { sources } = await lab.run(at(1));
  expect(JSON.stringify(await lab.rows('select * from players'))).not.toMatch(/0123|0456/);
  expect(sources[0]?.questions.map(questionText)).toContain(
    'players: drop or mask names "Mail", which no record has: check its spelling against the API.',
  );
  const asked = sources[0]?.questions.map(({ says }) => says.match(/"[^"]*"/g)?.join(' '));
  expect(asked).toContain('"Contact.Phone" "Contact"');
});

it('a source that has left the config shows what it showed, and nothing of what it dropped', async () => {
  const body = '[{"Id":1,"Note":"a","Pin":"0123","Pin":"0456"}]';
  await using lab = await signageLab({ [`${SIGNAGE}/Players`]: { body } });
  // Both are at the same address.
  const { basePath } = signage.defaults;
  const fleet = (...drop: readonly string[]) => ({ basePath, resources: { players: { drop } } });
  await lab.run(at(1), undefined, { fleets: { berlin: fleet(), paris: fleet('Pin') } });
  await lab.run(at(2), undefined, { fleets: { berlin: fleet() } }, { acceptSourceRemoval: ['paris'] });
  const daily = await lab.flat(
    'select export_date[9:], export_source, note, pin, pin_2 from players_daily order by all',
  );
  const berlin = ['berlin', 'a', '0123', '0456'];
  expect(daily).toEqual(['01', ...berlin, '01', 'paris', 'a', null, null, '02', ...berlin]);
});
