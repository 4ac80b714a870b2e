import { expect } from 'vitest';
import { s3Lake } from '#lib/aws/s3-lake.ts';
import { DAY_MS } from '#lib/time.ts';
import { webhookServer } from '../../news/support.ts';
import { exportLab } from '../../support/export-lab.ts';
import { tablesAsText } from '../../support/same-tables.ts';
import { ageReleased } from '../support/age-lake.ts';
import { ACCOUNT, emulatorAt, REGION } from '../support/emulator.ts';
import { formerCommit } from '../support/former-commit.ts';
import { installationOf } from '../support/installation.ts';

/** The role that CDK's bootstrap makes for CloudFormation. */
export const EXECUTION_ROLE = `cdk-hnb659fds-cfn-exec-role-${ACCOUNT}-${REGION}`;
export const HOOK_KEY = 'a key that nobody guesses';
export const PATIENCE = { timeout: 120_000, interval: 500 };

/** Raw answers of the story's days in October are too old for its commits; those of November are kept. */
const rawRetentionDays = Math.floor((Date.now() - Date.parse('2026-10-31T12:00:00Z')) / DAY_MS);

type Hook = Awaited<ReturnType<typeof webhookServer>>;

/** One installation on the emulator and the same on a laptop, whose chapters follow one another. */
export type Story = Awaited<ReturnType<typeof beginStory>>;

/** Begins it: bootstrapped, with the former commit's template. */
export async function beginStory(place: Parameters<typeof emulatorAt>[0]) {
  const emulator = emulatorAt(place);
  const lab = await exportLab({ players: 30, seed: 7 }, { config: { rawRetentionDays } });
  const hook = await webhookServer([503]);
  const install = (concurrency: number, more: object = {}) => {
    const fast = { baseUrl: lab.simulator.url, concurrency, requestsPerSecond: null };
    return installationOf({
      emulator,
      folder: lab.folder,
      config: {
        name: 'lab',
        timeZone: 'Europe/Berlin',
        rawRetentionDays,
        alarmEmail: 'ops@example.com',
        readers: ['finance'],
        sources: [
          { name: 'berlin', kind: 'signage', secret: 'lab/berlin', ...fast },
          { name: 'vault', kind: 'backup', accountId: '1042', secret: 'lab/vault', ...fast },
        ],
        ...more,
      },
    });
  };
  let stack = await install(10);
  Object.assign(process.env, emulator.environment);
  const policies = await stack.bootstrap();
  await using former = await formerCommit();
  await stack.synth(former.root);
  const ofLake = async () => {
    const { Lake = '' } = await stack.outputs();
    return s3Lake(Lake, { pathStyle: true });
  };
  /** Whoever has the operators' policy, and nothing else. */
  const operator = async () => {
    const { OperatorsPolicy = '' } = await stack.outputs();
    return await emulator.actAs('operator', [OperatorsPolicy]);
  };
  return {
    ...{ emulator, lab, hook, operator },
    /** Those of the role by which CloudFormation deploys. */
    policies,
    /** The lake that is left when the stack is gone. */
    left: '',
    /** As it was installed last. */
    get stack() {
      return stack;
    },
    /** Installs it with so many calls at once. */
    installed: async (concurrency: number, more?: object) => {
      stack = await install(concurrency, more);
    },
    runDeployed: async (time: string) =>
      await stack.ask(['run', '--deployed', '--backdate', '--run-time', time, '--json'], await operator()),
    /** That the tables of both lakes tell the same. */
    expectSameTables: async () => {
      await using lake = await ofLake();
      expect(await tablesAsText(lake)).toEqual(await tablesAsText(lab.lake));
    },
    /** Makes what commits stopped naming due to be removed. */
    aDayPasses: async () => {
      await using lake = await ofLake();
      await ageReleased(lake);
    },
    /** Of the executions, the newest first. */
    statuses: async () => (await stack.executions()).map(({ status }) => status),
    [Symbol.asyncDispose]: async () => {
      await lab[Symbol.asyncDispose]();
      await hook[Symbol.asyncDispose]();
    },
  };
}

/** The runs that were told, in order. */
export const toldIn = ({ heard }: Hook) => [
  ...new Set(heard.map(({ body }): string => JSON.parse(body).runId)),
];
