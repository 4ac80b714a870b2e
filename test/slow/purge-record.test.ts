import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { purgeRecord } from '#lib/repair/purge/purge-record.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { verify } from '#lib/repair/verify.ts';
import { contentHash } from '../support/content-hash.ts';
import { signageLab } from '../support/fixture-lab.ts';
import { operatorServices } from '../support/lab-services.ts';
import { aDayLater, answers, DAYS, FORMS, filesHaving, PLAYER } from '../support/purge-lab.ts';

it('an interrupted purge --record is repeated, at each second step of its writing, and ends with the same lake', {
  timeout: 400_000,
}, async () => {
  await using lab = await signageLab({});
  for (const [day, at] of DAYS.slice(0, 2).entries()) await lab.run(at, answers(day, FORMS['a bare list']));
  const record = { table: 'players', key: PLAYER.id } as const;
  const { config } = lab;
  /** The services of a purge that is killed at that step of its writing, in a copy of the lake. */
  const dying = async (at: number) => {
    const folder = await mkdtemp(join(tmpdir(), 'signage-export-'));
    await cp(lab.lake.name, join(folder, 'lake'), { recursive: true });
    const lake = folderLake(join(folder, 'lake'));
    let steps = 0;
    const live = () => {
      steps += 1;
      if (steps > at) throw new Error('killed');
    };
    const mortal: Lake = {
      ...lake,
      write: async (...given) => {
        live();
        return await lake.write(...given);
      },
      moveIn: async (...given) => {
        live();
        await lake.moveIn(...given);
      },
      remove: async (...given) => {
        live();
        await lake.remove(...given);
      },
    };
    const own = operatorServices({ lake, config });
    const after = { ...own, holderHasEnded: async () => true };
    return { folder, lake, after, services: { ...own, lake: mortal }, steps: () => steps };
  };
  const whole = await dying(Number.POSITIVE_INFINITY);
  await purgeRecord({ record }, whole.services);
  const hash = await contentHash(whole.lake);
  expect(whole.steps()).toBeGreaterThan(10);
  for (let at = 0; at <= whole.steps(); at += 2) {
    const { folder, lake, after, services } = await dying(at);
    await purgeRecord({ record }, services).catch(() => {});
    await purgeRecord({ record }, after).catch((error) =>
      expect(error).toMatchObject({ code: 'RECORD_UNKNOWN' }),
    );
    expect(await contentHash(lake), `killed after step ${at}`).toEqual(hash);
    expect((await verify(100, after)).found).toEqual([]);
    // Heads of earlier runs are gone if it stopped between its commit and them: then nothing is made again.
    const later = { ...after, now: aDayLater({ lake, config }).now };
    await rebuild('2026-11-20', later).catch((error) =>
      expect(error).toMatchObject({ code: 'REBUILD_IMPOSSIBLE' }),
    );
    expect(await contentHash(lake), `killed after step ${at}`).toEqual(hash);
    await purgeRecord({ record: { table: 'players', key: 'pl-1' } }, later);
    expect(await filesHaving({ lake }, [PLAYER.id, PLAYER.name]), `killed after step ${at}`).toEqual([]);
    await rm(folder, { recursive: true });
  }
  await rm(whole.folder, { recursive: true });
});
