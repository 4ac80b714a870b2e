import type { NamedMutant } from './named-mutant.ts';

/** What runs in AWS: the flow, the alarms, the rights, what a Lambda says. */
export const DEPLOYMENT: readonly NamedMutant[] = [
  {
    name: 'failed-run-is-green',
    fault: 'an execution whose sources all failed ends as if it were whole',
    file: 'infra/export.asl.json',
    from: '"StringEquals": "failed"',
    to: '"StringEquals": "never"',
    noticedBy: ['test/infra/definition.test.ts'],
  },
  {
    name: 'below-coverage-succeeds',
    fault: 'the state for a failed run is a success',
    file: 'infra/export.asl.json',
    from: '"Type": "Fail",\n      "Error": "RUN_FAILED",\n      "Cause": "Committed what was got, but every source failed: see the runs table."',
    to: '"Type": "Succeed"',
    noticedBy: ['test/infra/definition.test.ts'],
  },
  {
    name: 'error-of-a-failed-run',
    fault: 'a failed execution has another error than the one that the runbook names',
    file: 'infra/export.asl.json',
    from: '"Error": "RUN_FAILED"',
    to: '"Error": "FAILED"',
    noticedBy: ['test/infra/definition.test.ts'],
  },
  {
    name: 'execution-ends-after-an-hour',
    fault: 'a run of a large fleet is ended after an hour',
    file: 'infra/export.asl.json',
    from: '"TimeoutSeconds": 86400',
    to: '"TimeoutSeconds": 3600',
    noticedBy: ['test/infra/definition.test.ts'],
  },
  {
    name: 'commit-tried-once',
    fault: 'a commit that finds no free Lambda is not tried again',
    file: 'infra/export.asl.json',
    from: `"ResultPath": "$.commit",
      "TimeoutSeconds": 930,
      "Retry": [
        {
          "ErrorEquals": [
            "Lambda.TooManyRequestsException",
            "Lambda.ResourceConflictException",
            "Lambda.EC2ThrottledException"
          ],
          "IntervalSeconds": 5,
          "BackoffRate": 2,
          "MaxAttempts": 120`,
    to: `"ResultPath": "$.commit",
      "TimeoutSeconds": 930,
      "Retry": [
        {
          "ErrorEquals": [
            "Lambda.TooManyRequestsException",
            "Lambda.ResourceConflictException",
            "Lambda.EC2ThrottledException"
          ],
          "IntervalSeconds": 5,
          "BackoffRate": 2,
          "MaxAttempts": 0`,
    noticedBy: ['test/infra/definition.test.ts'],
  },
  {
    name: 'retries-without-a-pause',
    fault: 'a commit that finds no free Lambda uses up its tries at once',
    file: 'infra/export.asl.json',
    from: `"ResultPath": "$.commit",
      "TimeoutSeconds": 930,
      "Retry": [
        {
          "ErrorEquals": [
            "Lambda.TooManyRequestsException",
            "Lambda.ResourceConflictException",
            "Lambda.EC2ThrottledException"
          ],
          "IntervalSeconds": 5,
          "BackoffRate": 2,
          "MaxAttempts": 120,
          "MaxDelaySeconds": 120`,
    to: `"ResultPath": "$.commit",
      "TimeoutSeconds": 930,
      "Retry": [
        {
          "ErrorEquals": [
            "Lambda.TooManyRequestsException",
            "Lambda.ResourceConflictException",
            "Lambda.EC2ThrottledException"
          ],
          "IntervalSeconds": 5,
          "BackoffRate": 2,
          "MaxAttempts": 120,
          "MaxDelaySeconds": 1`,
    noticedBy: ['test/infra/definition.test.ts'],
  },
  {
    name: 'threshold-of-an-alarm',
    fault: 'one refused Lambda in an hour wakes the operator',
    file: 'infra/alarms.ts',
    from: 'threshold: 100,',
    to: 'threshold: 1,',
    noticedBy: ['test/infra/stack.test.ts'],
  },
  {
    name: 'comparison-of-alarms',
    fault: 'an alarm needs two failed runs',
    file: 'infra/alarms.ts',
    from: 'ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD',
    to: 'ComparisonOperator.GREATER_THAN_THRESHOLD',
    noticedBy: ['test/infra/stack.test.ts'],
  },
  {
    name: 'missing-data-of-an-alarm',
    fault: 'the alarm of late runs is quiet while nobody looks for late runs',
    file: 'infra/alarms.ts',
    from: 'missing: TreatMissingData.MISSING,',
    to: 'missing: TreatMissingData.NOT_BREACHING,',
    noticedBy: ['test/infra/stack.test.ts'],
  },
  {
    name: 'told-of-missing-data',
    fault: 'nobody is told that late runs are not looked for any more',
    file: 'infra/alarms.ts',
    from: 'tellsMissing: true,',
    to: '',
    noticedBy: ['test/infra/stack.test.ts'],
  },
  {
    name: 'period-of-alarms',
    fault: 'alarms look at a minute, of which most have no figure',
    file: 'infra/alarms.ts',
    from: 'const HOUR = Duration.hours(1);',
    to: 'const HOUR = Duration.minutes(1);',
    noticedBy: ['test/infra/stack.test.ts'],
  },
  {
    name: 'periods-of-an-alarm',
    fault: 'a late run is told after three hours, not after the first',
    file: 'infra/alarms.ts',
    from: 'breaching: 1,',
    to: '',
    noticedBy: ['test/infra/stack.test.ts'],
  },
  {
    name: 'statistic-of-an-alarm',
    fault: 'sources below coverage are averaged over the runs of an hour',
    file: 'infra/alarms.ts',
    from: "own('SourcesBelowCoverage', 'Maximum')",
    to: "own('SourcesBelowCoverage', 'Average')",
    noticedBy: ['test/infra/stack.test.ts'],
  },
  {
    name: 'stopped-runs-alarm',
    fault: 'no alarm tells of an execution that timed out',
    file: 'infra/alarms.ts',
    from: "['ExecutionsFailed', 'ExecutionsTimedOut', 'ExecutionsAborted']",
    to: "['ExecutionsFailed', 'ExecutionsFailed', 'ExecutionsAborted']",
    noticedBy: ['test/infra/stack.test.ts'],
  },
  {
    name: 'key-by-any-service',
    fault: 'a role may use the customer’s key by itself, not only through one service',
    file: 'infra/allow.ts',
    from: "conditions: {\n      StringLike: { 'kms:ViaService'",
    to: "none: {\n      StringLike: { 'kms:ViaService'",
    noticedBy: ['test/infra/stack.test.ts'],
  },
  {
    name: 'foreign-error-text',
    fault: 'the text of a foreign error, which may quote its input, stands in the history of the execution',
    file: 'lib/lambda/lambda-handler.ts',
    from: 'throw error instanceof ExportError ? error : unexpected(error);',
    to: 'throw error;',
    noticedBy: ['test/lambda/lambda-handler.test.ts'],
  },
];
