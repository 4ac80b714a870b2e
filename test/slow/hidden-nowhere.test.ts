import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeRun } from '#cli/print-run.ts';
import { readHead } from '#lib/lake/head.ts';
import { applyType } from '#lib/repair/apply-type.ts';
import { newMaskKey } from '#lib/repair/new-mask-key.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { recover } from '#lib/repair/recover.ts';
import { recoveryOf } from '#lib/repair/recovery-of.ts';
import { rollback } from '#lib/repair/rollback.ts';
import { wayBack } from '#lib/repair/way-back.ts';
import { drawn } from '../support/drawn.ts';
import { everythingIn } from '../support/everything-in.ts';
import { labConfig } from '../support/export-lab.ts';
import { type FixtureLab, fixtureLab, LAB_MASK_KEY } from '../support/fixture-lab.ts';
import {
  API_KEY,
  DAYS,
  type Hiding,
  keysOfHidden,
  routesOf,
  runOf,
  settingsOn,
  shownIn,
  textOf,
  timeOf,
  tokensIn,
  worlds,
} from '../support/hidden-histories.ts';
import { operatorOf } from '../support/runs.ts';

const SEED = Number(process.env['HIDDEN_SEED'] ?? 1);
/** Worlds of each case; `npm run nightly` has more. */
const RUNS = Number(process.env['HIDDEN_RUNS'] ?? 1);
const LAST = DAYS.length - 1;

const BOTH = ['berlin', 'paris'] as const;
type Operation = 'apply' | 'rebuild' | 'new key' | 'rollback';
const CASES: readonly (Hiding & { readonly after: readonly Operation[] })[] = [
  { how: 'drop', hides: BOTH, from: 0, rawRetentionDays: 30, after: ['rebuild'] },
  { how: 'mask', hides: ['berlin'], from: 0, rawRetentionDays: 0, after: ['apply'] },
  { how: 'drop', hides: ['paris'], from: 2, rawRetentionDays: 30, isRetyped: true, after: ['rollback'] },
  { how: 'mask', hides: BOTH, from: 2, rawRetentionDays: 30, after: ['apply', 'rebuild', 'new key'] },
  { how: 'drop', hides: BOTH, from: 2, rawRetentionDays: 0, after: ['apply'] },
  { how: 'mask', hides: ['paris'], from: 1, rawRetentionDays: 0, after: ['rollback'] },
];

/** What an operator does to a lake in which something is hidden. */
async function operate(lab: FixtureLab, hiding: Hiding, operation: Operation): Promise<void> {
  const config = labConfig(lab.server.url, settingsOn(hiding, LAST, lab.server.url));
  const services = operatorOf({ lake: lab.lake, config }, { maskKey: async () => LAB_MASK_KEY });
  if (operation === 'apply')
    await applyType({ table: 'players', column: 'pin', type: 'bigint', acceptLoss: true }, services);
  if (operation === 'rebuild') await rebuild('2026-11-20', services);
  if (operation === 'new key')
    await newMaskKey({}, { ...services, maskKey: async () => 'another key of masks' });
  if (operation !== 'rollback') return;
  const { rollbacks } = await wayBack((await readHead(lab.lake))?.head ?? expect.fail(), services);
  const offered = DAYS.filter((day) => day >= hiding.from && day < LAST).map(runOf);
  expect(rollbacks.map(({ runId }) => runId).sort()).toEqual(offered);
  const refusal = / it shows .*players\.pin.*, which the config hides by mask or drop/;
  for (const day of DAYS.filter((each) => each < hiding.from))
    await expect(rollback(runOf(day), services)).rejects.toThrow(refusal);
  if (hiding.from < LAST) await rollback(runOf(hiding.from), services);
  await writeFile(join(lab.folder, 'lake', 'state', 'head.json'), '{');
  await recover((await recoveryOf(lab.lake, lab.config)) ?? expect.fail(), services);
}

/** What is hidden now is nowhere in what is shown: in no day, key, change, reject, page or line of a command. */
async function expectHidden(
  lab: FixtureLab,
  hiding: Hiding,
  of: { readonly keys: readonly string[]; readonly said: readonly unknown[] },
) {
  for (const [place, rows] of Object.entries({ ...(await shownIn(lab)), said: of.said })) {
    const texts = rows.map(textOf);
    const isLeak = (text: string) =>
      tokensIn(text, hiding.hides).length > 0 || [API_KEY, ...of.keys].some((key) => text.includes(key));
    const leaks = texts.filter(isLeak).map((text) => text.slice(0, 500));
    expect(leaks, place).toEqual([]);
  }
}

describe('no secret and no dropped value is anywhere', () => {
  it.each(drawn(CASES))(
    'by $how in $hides from day $from on, raw kept for $rawRetentionDays days, after $after',
    async (hiding) => {
      const isNews = hiding.from < LAST || hiding.isRetyped === true;
      await fc.assert(
        fc.asyncProperty(worlds, async (world) => {
          await using lab = await fixtureLab({}, {}, undefined, API_KEY);
          let keys: readonly string[] = [];
          let said: readonly unknown[] = [];
          for (const day of DAYS) {
            if (day === hiding.from && day > 0) keys = await keysOfHidden(lab, hiding);
            const settings = settingsOn(hiding, day, lab.server.url);
            const summary = await lab.run(timeOf(day), routesOf(world, day), settings);
            // Values of another type are a doubt, and hide nothing.
            const status = hiding.isRetyped === true ? /complete|partial/ : /complete/;
            expect(summary.status).toMatch(status);
            said = [...(day < hiding.from ? [] : said), summary, describeRun(summary, { lake: 'lake' })];
          }
          if (hiding.from > 0) expect(keys.length).toBeGreaterThan(1);
          // On its last day nothing is new but what is hidden, which is not a change of a record.
          const ofLast = await lab.rows(`select * from changes where export_run_id = '${runOf(LAST)}'`);
          if (!isNews) expect(ofLast).toEqual([]);
          await expectHidden(lab, hiding, { keys, said });
          for (const operation of hiding.after) {
            await operate(lab, hiding, operation);
            await expectHidden(lab, hiding, { keys, said: [] });
          }
          const lake = join(lab.folder, 'lake');
          const written = await everythingIn(lake);
          expect(written.length).toBeGreaterThan(20);
          expect(written.filter((text) => text.includes(API_KEY))).toEqual([]);
          // What is hidden from the first day on is written into raw alone.
          if (hiding.from > 0) return;
          for (const place of ['tables', 'state']) {
            const text = (await everythingIn(join(lake, place))).join('\n');
            expect(tokensIn(text, hiding.hides), place).toEqual([]);
          }
        }),
        { seed: SEED, numRuns: RUNS, endOnFailure: process.env['HIDDEN_SHRINK'] === '0' },
      );
    },
  );
});
