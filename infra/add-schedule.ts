import { Aws } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { Construct } from 'constructs';
import { allow } from './allow.ts';

export interface AddedSchedule {
  readonly name: string;
  readonly description: string;
  /** What its role is for. */
  readonly says: string;
  readonly expression: string;
  /** @default UTC */
  readonly timeZone?: string;
  readonly functionArn: string;
  /** What the function receives. */
  readonly input: object;
  readonly target?: Partial<CfnSchedule.TargetProperty>;
}

/** Adds a schedule that calls a function, and returns its role. */
export function addSchedule(scope: Construct, props: AddedSchedule): Role {
  const { name, description, says, expression, timeZone, functionArn, input, target } = props;
  const role = new Role(scope, 'ScheduleRole', {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
    description: says,
  });
  allow(role, { actions: 'lambda:InvokeFunction', resources: [functionArn] });
  const schedule = new CfnSchedule(scope, 'Schedule', {
    name,
    description,
    scheduleExpression: expression,
    ...(timeZone !== undefined && { scheduleExpressionTimezone: timeZone }),
    flexibleTimeWindow: { mode: 'OFF' },
    target: { arn: functionArn, roleArn: role.roleArn, input: JSON.stringify(input), ...target },
  });
  schedule.node.addDependency(role);
  return role;
}
