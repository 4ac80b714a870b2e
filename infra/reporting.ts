import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnNamedQuery } from 'aws-cdk-lib/aws-athena';
import { CfnDatabase } from 'aws-cdk-lib/aws-glue';
import { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import { allow, allowKey, arnHere, CATALOG_KEY_ACTIONS } from './allow.ts';
import { addReaders, type Readers, rowFiltersOf } from './readers.ts';
import type { StageFunction } from './stage-function.ts';
import type { Storage } from './storage.ts';

export interface ReportingProps {
  readonly config: Config;
  readonly storage: Storage;
}

/** The Glue database, workgroups and a saved query. Its tables and views are written by commits, not by CloudFormation. */
export class Reporting extends Construct {
  readonly readers: Readers;
  private readonly config: Config;

  constructor(scope: Construct, id: string, { config, storage }: ReportingProps) {
    super(scope, id);
    this.config = config;
    const database = new CfnDatabase(this, 'Database', {
      catalogId: Stack.of(this).account,
      databaseInput: {
        ...{ name: config.name, description: 'Tables of signage-export, written by its commits' },
        // Otherwise a new table is open to everybody whom IAM lets ask.
        ...(rowFiltersOf(config).length > 0 && { createTableDefaultPermissions: [] }),
      },
    });
    database.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    this.readers = addReaders(this, { config, storage });
    for (const group of config.readers ?? []) addReaders(this, { config, storage, group });
    const query = new CfnNamedQuery(this, 'Query-runs-newest', {
      name: 'runs-newest',
      database: config.name,
      workGroup: config.name,
      queryString: 'select * from runs order by export_date desc, started_at desc limit 50',
    });
    query.addResourceDependency(this.readers.workgroup);
  }

  /** Lets a stage write the tables of this database. */
  grantCatalog(stage: StageFunction): void {
    const { name, catalogKmsKeyArn } = this.config;
    allow(stage.role, {
      actions: [
        'glue:GetTables',
        'glue:CreateTable',
        'glue:UpdateTable',
        'glue:BatchDeleteTable',
        'glue:DeleteTable',
        'glue:GetPartitions',
        'glue:BatchCreatePartition',
        'glue:BatchUpdatePartition',
        'glue:UpdatePartition',
        'glue:BatchDeletePartition',
      ],
      resources: ['catalog', `database/${name}`, `table/${name}/*`].map((resource) =>
        arnHere(this, 'glue', resource),
      ),
      because: 'Runs decide which tables its own database has.',
    });
    allowKey(stage.role, { keyArn: catalogKmsKeyArn, service: 'glue', actions: CATALOG_KEY_ACTIONS });
  }

  /** Lets a stage put the row filters of the tables, and take back those of a former config, with `lakeFormation`. */
  grantRowFilters(stage: StageFunction): void {
    if (this.config.lakeFormation === undefined) return;
    const actions = [
      ...['CreateDataCellsFilter', 'DeleteDataCellsFilter', 'ListDataCellsFilter', 'ListPermissions'],
      ...['BatchGrantPermissions', 'BatchRevokePermissions', 'GrantPermissions', 'RevokePermissions'],
      // It says whether new tables are open.
      'GetDataLakeSettings',
    ];
    allow(stage.role, {
      actions: actions.map((action) => `lakeformation:${action}`),
      resources: ['*'],
      because: 'Lake Formation has no resources in IAM; its own grants are on this database alone.',
    });
  }
}
