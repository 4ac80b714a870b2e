import { Aws } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule, type CfnScheduleProps } from 'aws-cdk-lib/aws-scheduler';
import type { Construct } from 'constructs';
import type { Schedule } from '../lib/config/schedule.ts';
import { at, grant, type Queried } from './rights.ts';
import { addFunction, type Installed, type StageFunction } from './stage-function.ts';
import { WATCH } from './stages.ts';

interface AddedSchedule extends Omit<CfnScheduleProps, 'flexibleTimeWindow' | 'target'> {
  /** What its role is for. */
  readonly says: string;
  readonly functionArn: string;
  /** What the function receives. */
  readonly input: object;
  readonly target?: Partial<CfnSchedule.TargetProperty>;
}

/** Adds a schedule that calls a function, and returns its role. */
export function addSchedule(scope: Construct, queried: Queried, props: AddedSchedule): Role {
  const { says, functionArn, input, target, ...schedule } = props;
  const role = new Role(scope, 'ScheduleRole', {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
    description: says,
  });
  grant(role, 'schedule', { ...queried, places: { called: at([functionArn]) } });
  const made = new CfnSchedule(scope, 'Schedule', {
    ...schedule,
    flexibleTimeWindow: { mode: 'OFF' },
    target: { arn: functionArn, roleArn: role.roleArn, input: JSON.stringify(input), ...target },
  });
  made.node.addDependency(role);
  return role;
}

export interface Watched extends Installed {
  readonly schedule: Schedule;
  readonly news: StageFunction;
}

/**
 * Adds a function that looks every hour how old the newest commit is. It also looks whether anybody got a report of it.
 * A metric of commits cannot do that: before the first commit it has no data, and it goes back only a week.
 */
export function addWatch(scope: Construct, { schedule, news, ...installed }: Watched) {
  const environment = {
    LATE_AFTER_HOURS: String(schedule.lateAfterHours),
    NEWS_FUNCTION: news.function.functionName,
  };
  const watch = addFunction(scope, 'Watch', { ...installed, stage: WATCH, environment });
  grant(watch.role, 'watch', { ...installed, places: { called: at([news.function.functionArn]) } });
  addSchedule(scope, installed, {
    name: `${installed.config.name}-watch`,
    description: 'Whether a run is late',
    says: 'Asks every hour whether a run is late',
    scheduleExpression: 'rate(1 hour)',
    functionArn: watch.function.functionArn,
    input: {},
  });
  return watch;
}
