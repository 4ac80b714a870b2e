import { Stack } from 'aws-cdk-lib';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { definitionText } from './definition.ts';
import type { Pipeline } from './pipeline.ts';
import { addWorkgroup } from './readers.ts';
import { at, grant, secretsAt } from './rights.ts';
import { secretArns, secretsOf } from './secret-arns.ts';
import { addFunction, type Installed } from './stage-function.ts';
import { OPERATE } from './stages.ts';
import { addStateMachine } from './state-machine.ts';
import { OPERATORS, workgroupName } from './storage.ts';

/** IAM's limit of a managed policy, 6,144, without the other content of the operators' policy. */
const MOST_SECRET_CHARACTERS = 2400;

/** Adds the function and state machine of an operator's commands with `--deployed`, and the policies for their users. */
export function addOperations(scope: Construct, installed: Installed, pipeline: Pipeline) {
  const { config } = installed;
  const { name } = config;
  const { region } = Stack.of(scope);
  const operate = addFunction(scope, 'Operate', { ...installed, stage: OPERATE });
  grant(operate.role, 'operate', installed);
  const text = definitionText('operate');
  addStateMachine(scope, { ...installed, name: `${name}-operate`, text, functions: { operate } });
  // Never change a description: AWS then makes a new policy, which cannot have the name of the old one.
  const policy = new ManagedPolicy(scope, 'Operators', {
    managedPolicyName: `${name}-operators-${region}`,
    description:
      'All that the command line does with --deployed: starts and watches runs, repairs, puts secrets',
  });
  const workgroup = workgroupName(config, OPERATORS);
  addWorkgroup(scope, 'Workgroup', { ...installed, workgroup });
  const { start, list } = pipeline.stages;
  const names = secretsOf(config).map(([, secret]) => secret);
  const secrets = secretsAt(secretArns(Stack.of(scope), names, { mostCharacters: MOST_SECRET_CHARACTERS }));
  const called = at([start, list].map((stage) => stage.function.functionArn));
  // To put a secret under a key.
  const secretsUnderKey = config.secretsKmsKeyArn === undefined ? undefined : secrets;
  grant(policy, 'operators', { ...installed, workgroup, places: { called, secrets, secretsUnderKey } });
  // IAM has no room for both in one.
  const runbookPolicy = new ManagedPolicy(scope, 'Runbook', {
    managedPolicyName: `${name}-runbook-${region}`,
    description: 'What the runbook looks at: logs, letters, the dashboard; redrives executions',
  });
  grant(runbookPolicy, 'runbook', { ...installed, places: { letters: at([pipeline.deadLetters.queueArn]) } });
  return { operate, policy, runbookPolicy, workgroup };
}
