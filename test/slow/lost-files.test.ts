import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readHead } from '#lib/lake/head.ts';
import { lakeKey, parseKey } from '#lib/lake/keys.ts';
import { recover } from '#lib/repair/recover.ts';
import { recoveryOf } from '#lib/repair/recovery-of.ts';
import { rollback } from '#lib/repair/rollback.ts';
import { attemptName } from '#lib/run-id.ts';
import { labConfig } from '../support/export-lab.ts';
import { type FixtureLab, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { operatorOf } from '../support/runs.ts';

const said = (email: string) => ({
  [`${SIGNAGE}/Players`]: { body: JSON.stringify([{ Id: 1, Email: email }]) },
});
const at = (day: number, hour = 3) => `2026-11-0${day}T0${hour}:00:00Z`;
const servicesOf = (lab: FixtureLab, now: string) => operatorOf(lab, { now: () => new Date(now) });
const headOf = async (lab: FixtureLab) => {
  const stored = await readHead(lab.lake);
  if (stored === undefined) throw new Error('the lake has no head');
  return stored.head;
};
/** Removes the file of players of a day. */
async function lose(lab: FixtureLab, date: string): Promise<void> {
  const run = (await headOf(lab)).tables.players?.dates[date]?.run ?? '';
  await rm(join(lab.folder, 'lake/tables/players', `export_date=${date}`, `run=${run}`), { recursive: true });
}
/** Files that the head neither names nor remembers. */
async function forgotten(lab: FixtureLab): Promise<readonly string[]> {
  const { tables, released } = await headOf(lab);
  const waits = new Set(
    released.map(({ table, date, run }) => (table === null ? run.split('.')[1] : `${table} ${date} ${run}`)),
  );
  const keys: string[] = [];
  for await (const { key } of lab.lake.list('tables/')) {
    const file = parseKey(key);
    if (file?.kind !== 'table') continue;
    const { table, exportDate: date } = file;
    const run = attemptName(file);
    const isKnown =
      tables[table]?.dates[date]?.run === run ||
      waits.has(`${table} ${date} ${run}`) ||
      waits.has(String(file.attempt));
    if (!isKnown) keys.push(key);
  }
  return keys;
}

it('a run writes no date again that leaves the daily tables with its commit', async () => {
  await using lab = await signageLab(said('a'));
  for (const day of [1, 2, 3]) await lab.run(at(day));
  const hidden = {
    config: { dailyRetentionDays: 2 },
    signage: { resources: { players: { drop: ['Email'] } } },
  };
  await lab.run(at(4), said('a'), hidden);
  expect(Object.keys((await headOf(lab)).tables.players?.dates ?? {})).toEqual(['2026-11-03', '2026-11-04']);
  expect(await forgotten(lab)).toEqual([]);
});

it('a lost head comes back though the config hides more by now, and the next run hides it', async () => {
  await using lab = await signageLab(said('a'));
  await lab.run(at(1));
  await lab.lake.remove([lakeKey('head')]);
  const hidden = { signage: { resources: { players: { drop: ['Email'] } } } };
  const config = labConfig(lab.server.url, hidden);
  const found = await recoveryOf(lab.lake, config);
  if (found === undefined) throw new Error('the head is there');
  await recover(found, { ...servicesOf(lab, at(1, 5)), config });
  await lab.run(at(2), said('b'), hidden);
  expect(await lab.rows('select distinct email from players_daily')).toEqual([{ email: null }]);
});

it('a rollback to a run whose newest file was lost is refused: no later run could build upon it', async () => {
  await using lab = await signageLab(said('a'));
  for (const day of [1, 2]) await lab.run(at(day));
  await lose(lab, '2026-11-01');
  const back = rollback('20261101T030000Z', servicesOf(lab, at(2, 5)));
  await expect(back).rejects.toMatchObject({ code: 'ROLLBACK_IMPOSSIBLE' });
  await lab.run(at(3));
});
