import { describe, expect, it } from 'vitest';
import { definitionText } from '../../infra/definition.ts';
import { STAGES } from '../../infra/stages.ts';
import { placeholders } from '../support/definition-states.ts';
import { someOf } from '../support/some-of.ts';
import { spelled, statementsIn, statementsOf, statementsOfStage, templateOf } from './synthesized.ts';

const { config, resources, ofType } = templateOf();
const functions = ofType('AWS::Lambda::Function');
const functionOf = (stage: string) =>
  functions.find(({ Properties }) => Properties['FunctionName'] === `${config.name}-${stage}`);
const roleOf = (stage: string) => statementsOfStage(resources, stage);
const EXECUTIONS = 'arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:signage-export';
const MACHINE = EXECUTIONS.replace(':execution:', ':stateMachine:');

describe('the state machine of the stack', () => {
  const [machine] = ofType('AWS::StepFunctions::StateMachine');

  it('is the file, with every function put in', () => {
    const properties = machine?.Properties ?? {};
    expect(properties['DefinitionString']).toBe(definitionText());
    expect(Object.keys(properties['DefinitionSubstitutions'] ?? {}).sort()).toEqual(
      placeholders(definitionText()).toSorted(),
    );
    for (const [name, version] of Object.entries(properties['DefinitionSubstitutions'] ?? {})) {
      const Properties = {
        FunctionName: { Ref: functionOf(name.replace('FunctionArn', '').toLowerCase())?.id },
      };
      const kept = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
      const due = { Type: 'AWS::Lambda::Version', Properties, ...kept };
      expect(resources[spelled(version).slice(1, -1)]).toMatchObject(due);
    }
    expect(properties['LoggingConfiguration']).toMatchObject({ Level: 'ERROR' });
    // Its history is kept for 90 days; a trace would show no more.
    expect(properties['TracingConfiguration']).toBeUndefined();
  });

  it('stands beside that of operators, and there is no other', () => {
    const names = ofType('AWS::StepFunctions::StateMachine').map(({ Properties }) => [
      Properties['StateMachineName'],
      Properties['DefinitionString'],
    ]);
    expect(names.toSorted()).toEqual([
      ['signage-export', definitionText()],
      ['signage-operate', definitionText('operate')],
    ]);
  });

  it('has a role that may exactly what the file asks for', () => {
    const allowed = statementsOf(resources, 'PipelineMachineRole').flatMap(({ actions, resources: arns }) =>
      actions.flatMap((action) => (action.startsWith('logs:') ? [] : arns.map((arn) => `${action} ${arn}`))),
    );
    const called = STAGES.filter(({ name }) => name !== 'start');
    const due = [
      ...called.map(({ name }) => `lambda:InvokeFunction <${functionOf(name)?.id}.Arn>:*`),
      `states:DescribeExecution ${EXECUTIONS}:*`,
      `states:RedriveExecution ${EXECUTIONS}/Sources:*`,
      `states:StartExecution ${MACHINE}`,
      `states:StopExecution ${EXECUTIONS}:*`,
    ];
    expect(allowed.toSorted()).toEqual(due.toSorted());
  });
});

describe('the functions', () => {
  it('has the lake, and no secret and no name of one in an environment', () => {
    for (const { Properties } of someOf(functions)) {
      const { Variables } = Properties['Environment'] as { Variables: Record<string, unknown> };
      expect(Object.keys(Variables)).toContain('STACK');
      expect(spelled(Variables['LAKE'])).toMatch(/^s3:\/\/<StorageLake/);
      expect(JSON.stringify(Variables)).not.toMatch(/signage-export\/|secret/i);
    }
  });

  it('reads secrets in list and collect alone, and those of the config alone', () => {
    for (const { name, callsApi } of STAGES) {
      const secrets = roleOf(name)
        .filter(({ actions }) => actions.some((action) => action.startsWith('secretsmanager:')))
        .flatMap(({ resources }) => resources.map((arn) => arn.split(':secret:')[1]));
      expect(secrets, name).toEqual(
        callsApi ? ['signage-export/berlin-??????', 'signage-export/vault-??????'] : [],
      );
    }
  });

  it('reads the key of masks in plan and publish alone, where the config has one', () => {
    const masked = templateOf({ maskSecret: 'signage-export/mask' });
    const readers = STAGES.filter(({ name }) =>
      statementsOfStage(masked.resources, name).some(({ resources }) =>
        resources.some((arn) => arn.includes('signage-export/mask')),
      ),
    );
    expect(readers.map(({ name }) => name)).toEqual(['plan', 'publish']);
  });

  it('holds no key where it reads foreign data, writes no table where it holds one, and one alone moves the head', () => {
    const putting = (key: string) =>
      STAGES.filter(({ name }) =>
        roleOf(name).some(
          ({ actions, resources: arns }) =>
            actions.includes('s3:PutObject') && arns.some((arn) => arn.endsWith(`/${key}`)),
        ),
      ).map(({ name }) => name);
    expect([putting('state/head.json'), putting('tables/*')]).toEqual([['commit'], ['publish']]);
    expect(STAGES.filter(({ callsApi, hasDuckDb }) => callsApi && hasDuckDb)).toEqual([]);
  });

  it('grants no `*` as a resource but for logs, traces and network interfaces', () => {
    const all = ofType('AWS::IAM::Policy').flatMap(({ Properties }) => statementsIn(Properties));
    const wide = all.filter(({ resources }) => resources.includes('*')).flatMap(({ actions }) => actions);
    expect(
      wide.filter(
        (action) => !/^(logs:\w+LogDeliver\w+|logs:PutResourcePolicy|logs:Describe\w+)$/.test(action),
      ),
    ).toEqual([]);
    expect(all.flatMap(({ actions }) => actions).filter((action) => action.includes('*'))).toEqual([]);
  });
});

it('the schedule starts runs in the zone of the config, again where it must, and leaves what it could not deliver', () => {
  const [queue] = ofType('AWS::SQS::Queue');
  expect(ofType('AWS::Scheduler::Schedule')[0]?.Properties).toMatchObject({
    ScheduleExpression: 'cron(0 3 * * ? *)',
    ScheduleExpressionTimezone: 'Europe/Berlin',
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: {
      Input: '{"scheduledTime":"<aws.scheduler.scheduled-time>"}',
      RetryPolicy: { MaximumEventAgeInSeconds: 21_600, MaximumRetryAttempts: 20 },
      DeadLetterConfig: { Arn: { 'Fn::GetAtt': [queue?.id, 'Arn'] } },
    },
  });
  const [retries] = ofType('AWS::Lambda::EventInvokeConfig');
  expect(retries?.Properties).toMatchObject({ MaximumRetryAttempts: 2 });
});
