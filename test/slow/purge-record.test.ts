import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { purgeRecord } from '#lib/repair/purge/purge-record.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { verify } from '#lib/repair/verify.ts';
import { dyingLake } from '../model/dying-lake.ts';
import { isAll } from '../support/drawn.ts';
import { LAB_MASK_KEY, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { operatorServices } from '../support/lab-services.ts';
import {
  aDayLater,
  answers,
  DAYS,
  FORMS,
  filesHaving,
  operators,
  PLAYER,
  purged,
  withPlayers,
} from '../support/purge-lab.ts';
import { tablesAsText } from '../support/same-tables.ts';

it('purge --record takes all records of one id, and one without an id by the hash of what is shown', async () => {
  const players = [
    { Id: 1, Name: 'Eins' },
    { Id: 2, Name: 'Zwei', Pin: '1234' },
    { Id: 2, Name: 'Zwei noch einmal', Pin: 'neun-acht-sieben' },
    { Name: 'Ohne Nummer', Pin: 'fuenf-mal-fuenf' },
  ];
  const signage = { resources: { players: { id: 'Id', mask: ['Pin'] } } };
  const settings = { signage, config: { maskSecret: 'lab/mask' } };
  await using lab = await signageLab(withPlayers(players), settings);
  await lab.run('2026-11-20T03:00:00Z');
  const keys = () => lab.flat('select record_key from players order by all');
  expect(await keys()).toEqual(['1', '2', '2#2', expect.stringMatching(/^~[0-9a-f]{32}$/)]);
  await expect(purged(lab, 'players', '2#2')).rejects.toMatchObject({ code: 'RECORD_UNKNOWN' });
  await purged(lab, 'players', '2');
  expect((await keys()).slice(0, -1)).toEqual(['1']);
  const services = { ...operators(lab), maskKey: async () => LAB_MASK_KEY };
  await purgeRecord({ record: { table: 'players', key: String((await keys()).at(-1)) } }, services);
  expect(await keys()).toEqual(['1']);
  await rebuild('2026-11-20', { ...aDayLater(lab), maskKey: async () => LAB_MASK_KEY });
  expect(await filesHaving(lab, ['Zwei', 'Ohne Nummer', 'fuenf-mal', 'neun-acht'])).toEqual([]);
});

it('purge --record takes a record that ends a page from the text of the next page too, which begins with it', async () => {
  const screens = `${SIGNAGE}/Players/1/Screens`;
  const [foyer, bar, hall] = ['Foyer', 'Bar', 'Halle'].map((Name, index) => ({ Id: index + 1, Name }));
  const page = (data: readonly unknown[], next: string | null) => ({ body: JSON.stringify({ data, next }) });
  const pages = { [screens]: page([foyer, bar], `${screens}?page=2`) };
  const last = { [`${screens}?page=2`]: page([bar, hall], null) };
  await using lab = await signageLab({ ...withPlayers([{ Id: 1 }]), ...pages, ...last });
  await lab.run('2026-11-20T03:00:00Z');
  await purged(lab, 'screens', '1/2');
  expect(await lab.flat('select name from screens order by all')).toEqual(['Foyer', 'Halle']);
  await rebuild('2026-11-20', aDayLater(lab));
  expect(await filesHaving(lab, ['Bar'])).toEqual([]);
});

it('an interrupted purge --record is repeated, at each twelfth step of its writing, and ends with the same lake', async () => {
  await using lab = await signageLab({});
  for (const [day, at] of DAYS.slice(0, 2).entries()) await lab.run(at, answers(day, FORMS['a bare list']));
  const record = { table: 'players', key: PLAYER.id } as const;
  const { config } = lab;
  /** The services of a purge that is killed at that change, in a copy of the lake. */
  const dying = async (at: number) => {
    const folder = await mkdtemp(join(tmpdir(), 'signage-export-'));
    await cp(lab.lake.name, join(folder, 'lake'), { recursive: true });
    const lake = folderLake(join(folder, 'lake'));
    const own = operatorServices({ lake, config });
    const mortal = dyingLake(lake, { at, isDone: false });
    const after = { ...own, holderHasEnded: async () => true };
    return { folder, lake, after, services: { ...own, lake: mortal }, changes: mortal.changes };
  };
  const whole = await dying(Number.POSITIVE_INFINITY);
  await purgeRecord({ record }, whole.services);
  const hash = await tablesAsText(whole.lake);
  expect(whole.changes()).toBeGreaterThan(10);
  const later = (lake: typeof whole.lake) => ({ ...whole.after, lake, now: aDayLater({ lake, config }).now });
  await rebuild('2026-11-20', later(whole.lake));
  const again = await tablesAsText(whole.lake);
  // In `npm run nightly` at each third.
  for (let at = 1; at <= whole.changes(); at += isAll ? 3 : 12) {
    const { folder, lake, after, services } = await dying(at);
    await purgeRecord({ record }, services).catch(() => {});
    const isUnknown = (code: string) => (error: unknown) => expect(error).toMatchObject({ code });
    await purgeRecord({ record }, after).catch(isUnknown('RECORD_UNKNOWN'));
    expect(await tablesAsText(lake), `killed at change ${at}`).toEqual(hash);
    expect((await verify(100, after)).found).toEqual([]);
    // Heads of earlier runs are gone if it stopped between its commit and them: then nothing is made again.
    await rebuild('2026-11-20', later(lake)).catch(isUnknown('REBUILD_IMPOSSIBLE'));
    expect([hash, again], `killed at change ${at}`).toContainEqual(await tablesAsText(lake));
    await purgeRecord({ record: { table: 'players', key: 'pl-1' } }, later(lake));
    expect(await filesHaving({ lake }, [PLAYER.id, PLAYER.name]), `killed at change ${at}`).toEqual([]);
    await rm(folder, { recursive: true });
  }
  await rm(whole.folder, { recursive: true });
});
