import { afterEach, expect, it, vi } from 'vitest';
import { addRollback } from '#cli/rollback.ts';
import { addRun } from '#cli/run.ts';
import { addStatus } from '#cli/status.ts';
import { DAY_MS, toTheSecond } from '#lib/time.ts';
import { placesOf, saidBy } from '../cli/support.ts';
import { drawLife } from '../clocks/life.ts';
import { live } from '../clocks/live.ts';
import { exportLab, SIGNAGE_ALONE } from '../support/export-lab.ts';

/** `npm run clocks` lives 500, and `CLOCKS_SEED` draws others. */
const LIVES = Number(process.env['CLOCKS'] ?? 10);
const SEED = Number(process.env['CLOCKS_SEED'] ?? 1);

it(`no wrong clock takes anything away, and no right one is refused, in ${LIVES} lives of seed ${SEED}`, {
  timeout: 7_200_000,
}, async () => {
  const counts = new Map<string, number>();
  const wrong: string[] = [];
  for (let number = 0; number < LIVES; number++) {
    const life = drawLife(SEED, number);
    const { ends, alarms } = await live(life);
    for (const end of ends) counts.set(end, (counts.get(end) ?? 0) + 1);
    if (alarms.length > 0) wrong.push(`life ${number}: ${alarms.join('; ')} in ${JSON.stringify(life)}`);
  }
  const said = [...counts].sort().map(([end, count]) => `${end} ${count}`);
  process.stdout.write(`clocks: seed ${SEED}, ${LIVES} lives; ${said.join(', ')}\n`);
  expect(wrong).toEqual([]);
  expect([...counts.keys()]).toEqual(
    expect.arrayContaining(['committed', 'believed', 'refused', 'rolled back']),
  );
});

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
