import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import type { Schedule } from '../lib/config/schedule.ts';
import { Alarms } from './alarms.ts';
import type { LambdaArchitecture } from './bindings.ts';
import { Dashboard } from './dashboard.ts';
import { type DeployTarget, refuseMisfits } from './deploy-target.ts';
import { LakeFormation } from './lake-formation.ts';
import { News } from './news.ts';
import { Operations } from './operations.ts';
import { Pipeline } from './pipeline.ts';
import { Reporting } from './reporting.ts';
import type { StageFunction } from './stage-function.ts';
import { Storage } from './storage.ts';
import { Watch } from './watch.ts';

export interface SignageExportStackProps extends StackProps {
  readonly config: Config;
  readonly schedule: Schedule;
  readonly architecture: LambdaArchitecture;
}

/** One installation: the lake, the pipeline that fills it, and what its readers and operators need. */
export class SignageExportStack extends Stack {
  constructor(scope: Construct, id: string, props: SignageExportStackProps) {
    super(scope, id, props);
    const { config, schedule, architecture } = props;
    refuseMisfits(config, props.env as DeployTarget | undefined);
    if (config.permissionsBoundaryArn !== undefined) {
      const boundary = ManagedPolicy.fromManagedPolicyArn(this, 'Boundary', config.permissionsBoundaryArn);
      PermissionsBoundary.of(this).apply(boundary);
    }
    const storage = new Storage(this, 'Storage', config);
    const reporting = new Reporting(this, 'Reporting', { config, storage });
    const pipeline = new Pipeline(this, 'Pipeline', {
      config,
      storage,
      architecture,
      database: reporting.database,
    });
    const writers: Record<string, StageFunction> = {};
    for (const name of ['start', 'commit'] as const) {
      const stage = pipeline.stages.get(name);
      if (stage !== undefined) writers[name] = stage;
    }
    const operations = new Operations(this, 'Operations', {
      config,
      storage,
      pipeline,
      architecture,
      database: reporting.database,
    });
    writers['operate'] = operations.function;
    for (const writer of Object.values(writers)) reporting.grantCatalog(writer);
    if (config.lakeFormation !== undefined) {
      const arns = Object.entries(writers).map(([name, { role }]) => [name, role.roleArn]);
      const granted = new LakeFormation(this, 'LakeFormation', {
        database: reporting.database,
        writers: Object.fromEntries(arns),
        readers: config.lakeFormation.readers,
      });
      granted.node.addDependency(reporting);
    }
    const { network, stateMachineArn } = pipeline;
    const news = new News(this, 'News', {
      ...{ config, storage, network, architecture, operations, stateMachineArn },
    });
    const { lateAfterHours } = schedule;
    const watch =
      lateAfterHours === undefined
        ? undefined
        : new Watch(this, 'Watch', { config, storage, network, architecture, lateAfterHours });
    const alarms = new Alarms(this, 'Alarms', { config, schedule, pipeline, watch, news });
    new Dashboard(this, 'Dashboard', { config, pipeline, alarms });
    const connection = [
      `Region=${this.region}`,
      `WorkGroup=${reporting.workgroup}`,
      'Catalog=AwsDataCatalog',
      `Database=${reporting.database}`,
    ].join(';');
    const outputs = {
      Lake: `s3://${storage.lake.bucketName}`,
      StateMachineArn: pipeline.stateMachineArn,
      StartFunction: pipeline.stages.get('start')?.function.functionName ?? '',
      ListFunction: pipeline.stages.get('list')?.function.functionName ?? '',
      OperateMachineArn: operations.stateMachineArn,
      OperatorsPolicy: operations.policy.managedPolicyArn,
      Database: reporting.database,
      Workgroup: reporting.workgroup,
      Results: reporting.readers.results,
      ReportPage: news.page,
      ReadersPolicy: reporting.readers.policy.managedPolicyArn,
      Jdbc: `jdbc:athena://${connection};`,
      Odbc: `Driver={Amazon Athena ODBC (x64)};${connection.replace('Region=', 'AwsRegion=').replace('Database=', 'Schema=')};`,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}
