import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { DAY_MS } from '#lib/time.ts';
import { type ExportLab, exportLab } from '../support/export-lab.ts';
import { hasSwept, takeAway } from './support/account.ts';
import { type Emulator, emulatorAt } from './support/emulator.ts';
import { loss, ruin, trouble } from './support/faults.ts';
import { type Installation, installationOf } from './support/installation.ts';

const place = inject('emulator');

/** Of each role a right that the story of deployed.test.ts needs. */
const RIGHTS: readonly (readonly [
  role: string,
  action: string,
  needed: 'run' | 'sweep' | 'operate' | 'watch' | 'news',
])[] = [
  ['PipelineStartRole', 's3:PutObject', 'run'],
  ['PipelineStartRole', 'states:StartExecution', 'run'],
  ['PipelineListRole', 'secretsmanager:GetSecretValue', 'run'],
  ['PipelineListRole', 's3:PutObject', 'run'],
  ['PipelineCollectRole', 's3:PutObject', 'run'],
  ['PipelineSweepRole', 's3:PutObject', 'sweep'],
  ['PipelinePlanRole', 's3:GetObject', 'run'],
  ['PipelinePublishRole', 's3:PutObject', 'run'],
  ['PipelineCommitRole', 'glue:GetTables', 'run'],
  ['PipelineMachineRole', 'lambda:InvokeFunction', 'run'],
  ['OperationsOperateRole', 's3:PutObject', 'operate'],
  ['OperationsMachineRole', 'lambda:InvokeFunction', 'operate'],
  ['WatchRole', 's3:GetObject', 'watch'],
  ['NewsRole', 's3:PutObject', 'news'],
];

/**
 * Breaks what deployed.test.ts relies on, one thing at a time, and sees that its checks notice: a check that cannot fail
 * would prove nothing. `npm run red` alone runs it, for it takes longer than what it checks.
 */
describe.skipIf(place === null || process.env['RED'] === undefined)('what is broken is noticed', () => {
  let emulator: Emulator;
  let lab: ExportLab;
  let stack: Installation;
  let day = 0;

  beforeAll(async () => {
    emulator = emulatorAt(place ?? { url: '', python: '', folder: '' });
    Object.assign(process.env, emulator.environment);
    lab = await exportLab({ players: 12, seed: 7 });
    const fast = { baseUrl: lab.simulator.url, concurrency: 10, requestsPerSecond: null };
    stack = await installationOf({
      emulator,
      folder: lab.folder,
      config: {
        name: 'red',
        timeZone: 'Europe/Berlin',
        // The runs have days of their own, however long ago those are.
        rawRetentionDays: Math.ceil((Date.now() - Date.parse('2026-11-01T00:00:00Z')) / DAY_MS) + 1,
        sources: [
          { name: 'berlin', kind: 'signage', secret: 'red/berlin', ...fast },
          { name: 'vault', kind: 'backup', accountId: '1042', secret: 'red/vault', ...fast },
        ],
      },
    });
    await stack.synth();
    await stack.deploy();
    for (const [name, kind, secret] of [
      ['red/berlin', 'apiKey', lab.simulator.secrets.signage],
      ['red/vault', 'accessToken', lab.simulator.secrets.backup],
    ] as const) {
      const input = Object.values(secret)[0] ?? '';
      expect((await stack.ask(['secret', 'put', name, '--kind', kind], { input })).code).toBe(0);
    }
  });
  afterAll(() => lab?.[Symbol.asyncDispose]());

  const runTime = () => `2026-11-${String(day).padStart(2, '0')}T03:00:00Z`;
  /** A run, as the story has them, and whether its checks are green. */
  const run = async (faults: Parameters<Emulator['fault']>[0], ends: string): Promise<boolean> => {
    day += 1;
    await emulator.fault(faults);
    const words = ['run', '--deployed', '--backdate', '--run-time', runTime(), '--json'];
    const { stdout } = await stack.ask(words);
    const left = await emulator.faultsLeft();
    return left.length === 0 && stdout !== '' && JSON.parse(stdout).status === ends;
  };
  const inTrouble = async () => {
    const from = (await emulator.decisions()).length;
    return (await run(trouble('red'), 'complete')) && !(await hasSwept(emulator, stack, from));
  };
  const inLoss = () => run(loss('red'), 'complete');
  const inRuin = () => run(ruin('red'), 'failed');
  const refused = async (from: number) =>
    (await emulator.decisions()).slice(from).flatMap((each) => each.refused.map(([action]) => action));

  it('and what is whole is green', async () => {
    expect(await inTrouble()).toBe(true);
    expect(await inLoss()).toBe(true);
    expect(await inRuin()).toBe(true);
    expect((await stack.ask(['repair', '--deployed'])).code).toBe(0);
    expect(await refused(0)).toEqual([]);
  });

  it.each(RIGHTS)('%s without %s', async (role, action, needed) => {
    const from = (await emulator.decisions()).length;
    await using _ = await takeAway(emulator, stack, { role, action });
    if (needed === 'run') expect(await run({}, 'complete')).toBe(false);
    if (needed === 'sweep') expect(await inLoss()).toBe(false);
    if (needed === 'operate') {
      const { code, stderr } = await stack.ask(['rebuild', '--from', '2026-11-01', '--deployed']);
      expect(code).not.toBe(0);
      expect(stderr).toMatch(/AccessDenied/);
    }
    if (needed === 'watch') await expect(stack.invoke('watch', {})).rejects.toThrow();
    if (needed === 'news') await run({}, 'complete');
    await expect.poll(() => refused(from), { timeout: 60_000, interval: 500 }).toContain(action);
    expect(new Set(await refused(from))).toEqual(new Set([action]));
  });
});
