import { afterEach, expect, it, vi } from 'vitest';
import { addRollback } from '#cli/rollback.ts';
import { addRun } from '#cli/run.ts';
import { addStatus } from '#cli/status.ts';
import { DAY_MS, toTheSecond } from '#lib/time.ts';
import { placesOf, saidBy } from '../cli/support.ts';
import { exportLab, SIGNAGE_ALONE } from '../support/export-lab.ts';

afterEach(() => vi.useRealTimers());

/** The clock of this process alone: Node's server writes its Date by that of the machine. */
function setClock(time: number): Date {
  vi.useFakeTimers({ toFake: ['Date'], now: time });
  return new Date();
}

it('run compares the clock of the machine with the answers, unless its time is named; status and rollback lead back', async () => {
  await using lab = await exportLab({ players: 2 }, SIGNAGE_ALONE);
  const at = await placesOf(lab);
  const run = async (...more: readonly string[]) =>
    JSON.parse(await saidBy(addRun, 'run', '--json', ...at, ...more)) as { runId: string };

  const begun = Date.now();
  const { runId } = await run();
  const ahead = setClock(begun + 1000 * DAY_MS);
  await expect(run()).rejects.toMatchObject({ code: 'CLOCK_WRONG' });
  await run('--run-time', toTheSecond(ahead));

  setClock(begun + 60_000);
  await expect(run()).rejects.toMatchObject({ code: 'CLOCK_WRONG' });
  const status = await saidBy(addStatus, 'status', ...at);
  expect(status).toMatch(/^The newest run, \S+, is still to come by this machine's clock/);
  expect(status).toMatch(new RegExp(`^ {2}\\S.* rollback ${runId} `, 'm'));
  await saidBy(addRollback, 'rollback', runId, '--yes', '--json', ...at);
  expect(await run()).toMatchObject({ status: 'complete' });
});
