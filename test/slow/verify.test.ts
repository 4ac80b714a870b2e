import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { statusOf } from '#cli/status-of.ts';
import { readHead } from '#lib/lake/head.ts';
import { namedFiles, tableKeys } from '#lib/lake/named-files.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { verify } from '#lib/repair/verify.ts';
import { createChance } from '../support/chance.ts';
import { type FixtureLab, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { operatorServices } from '../support/lab-services.ts';

const DAYS = ['2026-10-31', '2026-11-01', '2026-11-02'].map((day) => `${day}T03:00:00Z`);
const [FIRST = '', SECOND = '', THIRD = ''] = DAYS;
const answers = (count: number) => ({
  [`${SIGNAGE}/Licenses`]: { body: JSON.stringify([{ Type: 'A', Count: count }]) },
  [`${SIGNAGE}/Players`]: { body: JSON.stringify([{ Id: 1, Name: `p${count}` }]) },
});
/** Another in each call, and printed. */
const SEED = Number(process.env['BITS_SEED'] ?? Date.now() % 1_000_000);
const fileOf = (lab: FixtureLab, key: string) => join(lab.lake.name, key);

async function twoDays(settings = {}): Promise<FixtureLab> {
  const lab = await signageLab(answers(1), settings);
  await lab.run(FIRST);
  await lab.run(SECOND, answers(2));
  return lab;
}

async function keysIn(lab: FixtureLab): Promise<readonly string[]> {
  const head = (await readHead(lab.lake))?.head;
  const keys = namedFiles(head ?? expect.fail()).flatMap((each) => tableKeys(each.table, each));
  for await (const { key } of lab.lake.list('raw/')) keys.push(key);
  return keys;
}

const keyOf = async (lab: FixtureLab, part: string) =>
  (await keysIn(lab)).find((key) => key.includes(part)) ?? '';

it('each single bit that is turned in a file of a table or of raw answers is found, and none in its healthy twin', async () => {
  await using lab = await twoDays();
  const keys = await keysIn(lab);
  const services = operatorServices(lab);
  const healthy = await verify(100, services);
  expect(healthy).toMatchObject({ files: keys.length, unknown: 0, damaged: 0, found: [], part: 0, parts: 1 });
  console.log(`bits turned by seed ${SEED}`);
  const chance = createChance(SEED);
  for (const key of keys) {
    const whole = await readFile(fileOf(lab, key));
    const turned = Buffer.from(whole);
    const bit = Math.floor(chance.number() * whole.length * 8);
    turned[bit >> 3] = (turned[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    await writeFile(fileOf(lab, key), turned);
    const { found } = await verify(100, services);
    const said = found.map((each) => `${each.key} ${each.fault}`);
    expect(said, `bit ${bit}`).toEqual([`${key} damaged`]);
    await writeFile(fileOf(lab, key), whole);
  }
  expect((await verify(100, services)).damaged).toBe(0);
});

it('no rebuild is proposed or made from raw answers that are damaged', async () => {
  await using lab = await twoDays();
  const services = operatorServices(lab);
  const raw = await keyOf(lab, `raw/20261101T030000Z/berlin/licenses`);
  const bytes = await readFile(fileOf(lab, raw));
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  await writeFile(fileOf(lab, raw), bytes);
  await rm(fileOf(lab, await keyOf(lab, 'tables/licenses/export_date=2026-11-01')));
  const cures = ['rollback 20261031T030000Z', 'no rebuild from 2026-11-01 or before'];
  const { found } = await verify(100, services);
  expect(found).toMatchObject(cures.map((text) => ({ cure: expect.stringContaining(text) })));
  await expect(rebuild('2026-11-01', services)).rejects.toMatchObject({ code: 'RAW_CORRUPT' });
});

it("another table's file in the place of a part is FILE_CORRUPT for status, a run, and a rewrite of history", async () => {
  await using lab = await twoDays();
  const players = await keyOf(lab, 'tables/players/export_date=2026-11-01');
  const licenses = await keyOf(lab, 'tables/licenses/export_date=2026-11-01');
  await copyFile(fileOf(lab, players), fileOf(lab, licenses));
  const { broken } = await statusOf(lab.lake.name, lab.config);
  expect(broken.map(({ name }) => name)).toContain('licenses');
  const refusal = { code: 'FILE_CORRUPT', message: expect.stringContaining(licenses) };
  await expect(lab.run(THIRD, answers(3))).rejects.toMatchObject(refusal);
  const dropped = { signage: { resources: { licenses: { drop: ['Count'] } } } };
  await expect(lab.run(THIRD, answers(3), dropped)).rejects.toMatchObject(refusal);
});
