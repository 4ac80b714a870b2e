import aslValidator from 'asl-validator';
import { describe, expect, it } from 'vitest';
import { batchCount } from '#lib/run/cut-batches.ts';
import { runIdAt } from '#lib/run-id.ts';
import { PAYLOAD_LIMIT } from '#lib/runtime/state-machine.ts';
import { DEADLINE_MS } from '#lib/start/start.ts';
import { HOUR_MS } from '#lib/time.ts';
import { definitionText } from '../../infra/definition.ts';
import { STAGES } from '../../infra/stages.ts';
import { allStates } from '../support/definition-states.ts';
import { labConfig } from '../support/export-lab.ts';

const text = definitionText();
const definition = JSON.parse(text);
const states = allStates(definition);
const tasks = states.filter(({ state }) => state['Type'] === 'Task');

/** Errors of Lambda itself, which Step Functions alone can try again: no room yet, a moment's fault, killed. */
const OF_LAMBDA = [
  // A function in a VPC that was idle for weeks is inactive; its first calls are answered with the second.
  'Lambda.TooManyRequestsException Lambda.ResourceConflictException Lambda.EC2ThrottledException',
  'Lambda.ServiceException Lambda.AWSLambdaException Lambda.SdkClientException Lambda.ClientExecutionTimeoutException',
  // Documented is Unknown; newer runtimes were seen to report the other two.
  'Lambda.Unknown Sandbox.Timedout Runtime.ExitError',
  // Ours: the store or the catalog was away for longer than the SDK tries.
  'LAKE_UNREACHABLE CATALOG_SYNC_FAILED',
].map((errors) => errors.split(' '));
/** For how long, in words of Step Functions. A Lambda that is killed at its limit again and again is not tried for hours. */
const RETRIES = [
  { IntervalSeconds: 5, BackoffRate: 2, MaxAttempts: 120, MaxDelaySeconds: 120, JitterStrategy: 'FULL' },
  { IntervalSeconds: 2, BackoffRate: 2, MaxAttempts: 6, MaxDelaySeconds: 60, JitterStrategy: 'FULL' },
  { IntervalSeconds: 5, BackoffRate: 2, MaxAttempts: 2, MaxDelaySeconds: 60, JitterStrategy: 'FULL' },
  { IntervalSeconds: 15, BackoffRate: 2, MaxAttempts: 6, MaxDelaySeconds: 120, JitterStrategy: 'FULL' },
];
/** Of a source, raw says what is missing; beyond it, nothing else tries again. */
const NEEDS_LAKE = ['Plan', 'PublishUnit', 'Ledger', 'Commit'];

describe('the state machine', () => {
  it('is valid', () => {
    const arns = text.replaceAll(/\$\{(\w+)\}/g, 'arn:aws:lambda:us-east-1:123456789012:function:$1');
    const { isValid, errorsText } = aslValidator(JSON.parse(arns));
    expect(isValid ? '' : errorsText()).toBe('');
  });

  it('has more than a day, and every task has a limit that no Lambda outlives', () => {
    // Longer than the run's deadline: at it a slow source alone ends, and not the execution.
    expect(definition.TimeoutSeconds * 1000).toBe(DEADLINE_MS + HOUR_MS);
    const due = 'List Collect ListAgain CollectAgain Sweep Plan PublishUnit Ledger Commit';
    expect(tasks.map(({ name }) => name).join(' ')).toBe(due);
    expect(new Set(tasks.map(({ state }) => state['TimeoutSeconds']))).toEqual(new Set([930]));
  });

  it.each(tasks.map(({ name, state }) => ({ name, state })))(
    '$name is tried again with jitter, as often as its error is worth',
    ({ name, state }) => {
      expect(state['Retry']).toEqual(
        RETRIES.slice(0, NEEDS_LAKE.includes(name) ? 4 : 3).map((each, index) => ({
          ErrorEquals: OF_LAMBDA[index],
          ...each,
        })),
      );
    },
  );

  const named = (name: string) => states.find((each) => each.name === name)?.state;

  it('is red with RUN_FAILED where every source failed, after all that was got is committed', () => {
    expect(named('Commit')).toMatchObject({ ResultPath: '$.commit', Next: 'Verdict' });
    expect(named('Verdict')).toMatchObject({
      Type: 'Choice',
      Choices: [{ Variable: '$.commit.status', StringEquals: 'failed', Next: 'BelowCoverage' }],
      Default: 'Committed',
    });
    expect(named('BelowCoverage')).toMatchObject({ Type: 'Fail', Error: 'RUN_FAILED' });
    expect(named('Committed')).toEqual({ Type: 'Succeed' });
  });

  it('ends in the very state that failed, so that a redrive goes on with it', () => {
    const ends = states.filter(({ state }) => state['Type'] === 'Fail').map(({ name }) => name);
    // That one is committed already: what it lacks is for repair.
    expect(ends).toEqual(['BelowCoverage']);
    // What a source throws ends the source alone.
    const caught = states.flatMap(({ name, state }) =>
      ((state['Catch'] ?? []) as { ErrorEquals: string[]; Next: string }[]).map(
        ({ ErrorEquals, Next }) => `${name}: ${ErrorEquals} to ${Next}, ${named(Next)?.['Type']}`,
      ),
    );
    expect(caught).toEqual([
      'List: States.ALL to NotListed, Pass',
      'Collect: States.ALL to Lost, Pass',
      'ListAgain: States.ALL to RestEnded, Pass',
      'CollectAgain: States.ALL to LostAgain, Pass',
      'Sweep: States.ALL to RestEnded, Pass',
    ]);
  });
});

/** @see https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html */
const STEP_FUNCTIONS = { nameCharacters: 80, definitionBytes: 1_048_576 };
/** @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const LAMBDA = { nameCharacters: 64, seconds: 900, memoryOfNewAccountMiB: 3008, diskMiB: 10_240 };
const SCHEDULE_NAME_CHARACTERS = 64;

it('names and sizes fit whatever the config is named', () => {
  const name = 'a'.repeat(40);
  for (const stage of STAGES) {
    expect(`${name}-${stage.name}`.length).toBeLessThanOrEqual(LAMBDA.nameCharacters);
    expect(stage.memoryMiB).toBeLessThanOrEqual(LAMBDA.memoryOfNewAccountMiB);
    expect(stage.diskMiB).toBeLessThanOrEqual(LAMBDA.diskMiB);
    expect(stage.timeoutSeconds).toBeLessThanOrEqual(LAMBDA.seconds);
  }
  expect(`${name}-export`.length).toBeLessThanOrEqual(SCHEDULE_NAME_CHARACTERS);
  const execution = `${runIdAt(new Date())}-100`;
  expect(execution.length).toBeLessThanOrEqual(STEP_FUNCTIONS.nameCharacters);
  expect(execution).toMatch(/^[\w-]+$/);
  expect(text.length).toBeLessThan(STEP_FUNCTIONS.definitionBytes);
});

it('1,000,000 players of a slow source have batches whose numbers fit into a payload', () => {
  const { sources } = labConfig('https://a.example', { signage: { requestsPerSecond: 1 } });
  const count = batchCount(sources[0] ?? expect.fail(), 2_000_000);
  expect(count).toBeGreaterThan(500);
  expect(JSON.stringify(Array.from({ length: count }, (_, batch) => batch)).length).toBeLessThan(
    PAYLOAD_LIMIT / 10,
  );
});
