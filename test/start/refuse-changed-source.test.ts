import { expect, test } from 'vitest';
import { parseConfig } from '#lib/config/parse-config.ts';
import { UsageError } from '#lib/errors.ts';
import { type ExportLab, exportLab, labSettings, SIGNAGE_ALONE } from '../support/export-lab.ts';

const DAY_1 = '2026-11-20T03:00:00Z';

/** A run that is cut off when all answers are there and nothing is published. */
async function cutOff(lab: ExportLab): Promise<void> {
  const stop = new Error('cut off');
  await expect(
    lab.run(DAY_1, {
      onProgress: ({ stage }) => {
        if (stage === 'plan') throw stop;
      },
    }),
  ).rejects.toBe(stop);
}

function configOf(lab: ExportLab, signage: object, backup: object = {}) {
  return parseConfig(JSON.stringify(labSettings(lab.simulator.url, { signage, backup })), 'lab.config.json');
}

const OTHERS = [
  ['baseUrl', { baseUrl: 'http://127.0.0.1:9' }, {}, 'berlin'],
  ['basePath', { basePath: '/other' }, {}, 'berlin'],
  ['apiVersion', { apiVersion: '1.15' }, {}, 'berlin'],
  ['resources.players.id', { resources: { players: { id: 'BoxId' } } }, {}, 'berlin'],
  ['resources.screens.path', { resources: { screens: { path: '/Players/{id}/Monitors' } } }, {}, 'berlin'],
  ['secret', { secret: 'lab/paris' }, {}, 'berlin'],
  ['accountId', {}, { accountId: '7' }, 'vault'],
] as const;

test('a run that was cut off is not resumed with another address, path, id or account', async () => {
  await using lab = await exportLab({ players: 6 });
  await cutOff(lab);
  lab.simulator.stats.reset();
  const refusals: string[] = [];
  for (const [, signage, backup] of OTHERS) {
    const config = configOf(lab, signage, backup);
    await lab.run(DAY_1, { config }).catch((error) => {
      // Exit code 2.
      expect(error).toBeInstanceOf(UsageError);
      refusals.push(`${error.code} ${error.message}`);
    });
  }
  expect(refusals).toEqual(
    OTHERS.map(([field, , , source]) =>
      expect.stringMatching(
        new RegExp(
          `^RUN_CHANGED ${field} of source ${source} was .+ when run 20261120T030000Z began, and is .+ now: .+ Put the old value back and start the run again, or leave --run-time out for a new run\\.$`,
        ),
      ),
    ),
  );
  // As it was, it goes on without a further call.
  expect(await lab.run(DAY_1)).toMatchObject({ status: 'complete' });
  expect(lab.simulator.stats.requests).toBe(0);
});

test('a run that was cut off is resumed with another rate, zone or column type', async () => {
  await using lab = await exportLab({ players: 6 }, SIGNAGE_ALONE);
  await cutOff(lab);
  const resources = { players: { columns: { name: { type: 'varchar' } } } };
  const config = configOf(lab, { concurrency: 3, timeZone: 'Europe/Berlin', resources });
  expect(await lab.run(DAY_1, { config })).toMatchObject({ status: 'complete' });
});

test('a source that was not asked yet may change', async () => {
  await using lab = await exportLab({ players: 6 });
  await expect(
    lab.run(DAY_1, {
      sources: ['berlin'],
      onProgress: ({ stage }) => {
        if (stage === 'plan') throw new Error('cut off');
      },
    }),
  ).rejects.toThrow('cut off');
  const config = configOf(lab, {}, { accountId: '1042', versions: { pricing: 1 } });
  expect(await lab.run(DAY_1, { config })).toMatchObject({ status: 'complete' });
});

test('a run whose config is half-written is refused by the name of the file, and goes on once that is gone', async () => {
  await using lab = await exportLab({ players: 6 }, SIGNAGE_ALONE);
  await cutOff(lab);
  const key = 'state/runs/20261120T030000Z/config.json';
  await lab.lake.write(key, Buffer.from('{"name": "lab", "sources": ['));
  const refusal = { code: 'STATE_CORRUPT', message: expect.stringContaining(key) };
  await expect(lab.run(DAY_1)).rejects.toMatchObject(refusal);
  await lab.lake.remove([key]);
  expect(await lab.run(DAY_1)).toMatchObject({ status: 'complete' });
});
