import aslValidator from 'asl-validator';
import { describe, expect, it } from 'vitest';
import { allStates, calledStages, definitionText, mapLabels } from '../../infra/definition.ts';
import { STAGES } from '../../infra/stages.ts';

const text = definitionText();
const definition = JSON.parse(text);
const states = allStates(definition);
const tasks = states.filter(({ state }) => state['Type'] === 'Task');

/** Errors of Lambda itself, which Step Functions alone can try again. */
const OF_LAMBDA = [
  'Lambda.TooManyRequestsException',
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
  'Lambda.Unknown',
];

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
    '$name is tried again with jitter, and what it throws leads somewhere',
    ({ state }) => {
      const retry = state['Retry'] as {
        ErrorEquals: string[];
        JitterStrategy: string;
        MaxDelaySeconds: number;
      }[];
      expect(retry.flatMap(({ ErrorEquals }) => ErrorEquals)).toEqual(OF_LAMBDA);
      for (const each of retry)
        expect(each).toMatchObject({ JitterStrategy: 'FULL', MaxDelaySeconds: expect.any(Number) });
      const caught = state['Catch'] as { ErrorEquals: string[]; Next: string }[];
      expect(caught.map(({ ErrorEquals }) => ErrorEquals)).toEqual([['States.ALL']]);
      expect(states.map(({ name }) => name)).toContain(caught[0]?.Next);
    },
  );

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
