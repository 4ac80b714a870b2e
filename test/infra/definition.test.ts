import aslValidator from 'asl-validator';
import { describe, expect, it } from 'vitest';
import { allStates, calledStages, definitionText, mapLabels } from '../../infra/definition.ts';
import { STAGES } from '../../infra/stages.ts';

const text = definitionText();
const definition = JSON.parse(text);
const states = allStates(definition);
const tasks = states.filter(({ state }) => state['Type'] === 'Task');

/** Errors of Lambda itself, which Step Functions alone can try again: no room yet, a moment's fault, killed. */
const OF_LAMBDA = [
  [
    'Lambda.TooManyRequestsException',
    // A function in a VPC that was idle for weeks is inactive; its first calls are answered so.
    'Lambda.ResourceConflictException',
    'Lambda.EC2ThrottledException',
  ],
  [
    'Lambda.ServiceException',
    'Lambda.AWSLambdaException',
    'Lambda.SdkClientException',
    'Lambda.ClientExecutionTimeoutException',
  ],
  // Documented is Unknown; newer runtimes were seen to report the other two.
  ['Lambda.Unknown', 'Sandbox.Timedout', 'Runtime.ExitError'],
];
/** A Lambda that is killed at its limit again and again is not tried for hours. */
const ATTEMPTS = [120, 6, 2];

describe('the state machine', () => {
  it('is valid', () => {
    const arns = text.replaceAll(/\$\{(\w+)\}/g, 'arn:aws:lambda:us-east-1:123456789012:function:$1');
    const { isValid, errorsText } = aslValidator(JSON.parse(arns));
    expect(isValid ? '' : errorsText()).toBe('');
  });

  it('has a time limit, and every task has one that no Lambda outlives', () => {
    expect(definition.TimeoutSeconds).toBeLessThanOrEqual(24 * 3600);
    for (const { name, state } of tasks) expect(state['TimeoutSeconds'], name).toBe(930);
  });

  it.each(tasks.map(({ name, state }) => ({ name, state })))(
    '$name is tried again with jitter, as often as its error is worth',
    ({ state }) => {
      const retry = state['Retry'] as {
        ErrorEquals: string[];
        JitterStrategy: string;
        MaxDelaySeconds: number;
        MaxAttempts: number;
      }[];
      expect(retry.map(({ ErrorEquals }) => ErrorEquals)).toEqual(OF_LAMBDA);
      expect(retry.map(({ MaxAttempts }) => MaxAttempts)).toEqual(ATTEMPTS);
      for (const each of retry)
        expect(each).toMatchObject({ JitterStrategy: 'FULL', MaxDelaySeconds: expect.any(Number) });
    },
  );

  it('ends in the very state that failed, so that a redrive goes on with it', () => {
    const ends = states.filter(({ state }) => state['Type'] === 'Fail').map(({ name }) => name);
    // That one is committed already: what it lacks is for repair.
    expect(ends).toEqual(['BelowCoverage']);
    for (const { name, state } of states) {
      const caught = (state['Catch'] ?? []) as { ErrorEquals: string[]; Next: string }[];
      const leads = caught.map(({ Next }) => states.find((each) => each.name === Next)?.state['Type']);
      expect(leads, name).toEqual(caught.map(() => 'Pass'));
      expect(
        caught.map(({ ErrorEquals }) => ErrorEquals),
        name,
      ).toEqual(caught.map(() => ['States.ALL']));
    }
  });

  it('lets nothing that a source or a batch throws reach the others', () => {
    const named = (name: string) => states.find((each) => each.name === name)?.state;
    for (const name of ['List', 'Sweep'])
      expect(named(name)?.['Catch']).toMatchObject([{ Next: 'SourceEnded' }]);
    expect(named('CollectBatch')?.['Catch']).toMatchObject([{ Next: 'BatchLost' }]);
    expect(named('SourceEnded')).toMatchObject({ Type: 'Pass', End: true });
    expect(named('BatchLost')).toMatchObject({ Type: 'Pass', Result: 1, End: true });
    // No emulator is faithful in tolerated failures, so nothing relies on them.
    expect(text).not.toContain('Tolerated');
  });

  it('labels its distributed map, and calls stages that there are', () => {
    expect(mapLabels(definition)).toEqual(['Sources']);
    expect(STAGES.map(({ name }) => name)).toEqual(expect.arrayContaining([...calledStages(text)]));
  });
});
