import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnNamedQuery } from 'aws-cdk-lib/aws-athena';
import { CfnDatabase } from 'aws-cdk-lib/aws-glue';
import { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import { allow, allowKey, arnHere } from './allow.ts';
import { addReaders, type Queried, rowFiltersOf } from './readers.ts';
import type { StageFunction } from './stage-function.ts';

/** The Glue database, workgroups and a saved query. Its tables and views are written by commits, not by CloudFormation. */
export class Reporting extends Construct {
  readonly readers: ReturnType<typeof addReaders>;
  private readonly config: Config;

  constructor(scope: Construct, id: string, queried: Queried) {
    super(scope, id);
    const { config } = queried;
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
    this.readers = addReaders(this, queried);
    for (const group of config.readers ?? []) addReaders(this, queried, group);
    const query = new CfnNamedQuery(this, 'Query-runs-newest', {
      ...{ name: 'runs-newest', database: config.name, workGroup: config.name },
      queryString: 'select * from runs order by export_date desc, started_at desc limit 50',
    });
    query.addResourceDependency(this.readers.workgroup);
  }

  /** Lets a stage write the tables of this database. */
  grantCatalog({ role }: StageFunction): void {
    const { name, catalogKmsKeyArn } = this.config;
    const ofDatabase = ['catalog', `database/${name}`, `table/${name}/*`];
    allow(role, {
      actions: [
        'glue:GetTables CreateTable UpdateTable BatchDeleteTable DeleteTable GetPartitions',
        'glue:BatchCreatePartition BatchUpdatePartition UpdatePartition BatchDeletePartition',
      ],
      resources: ofDatabase.map((resource) => arnHere(this, 'glue', resource)),
      because: 'Runs decide which tables its own database has.',
    });
    allowKey(role, { keyArn: catalogKmsKeyArn, service: 'glue' });
  }

  /** Lets a stage put the row filters of the tables, and take back those of a former config, with `lakeFormation`. */
  grantRowFilters({ role }: StageFunction): void {
    if (this.config.lakeFormation === undefined) return;
    allow(role, {
      actions: [
        'lakeformation:CreateDataCellsFilter DeleteDataCellsFilter ListDataCellsFilter ListPermissions',
        'lakeformation:BatchGrantPermissions BatchRevokePermissions GrantPermissions RevokePermissions',
        // It says whether new tables are open.
        'lakeformation:GetDataLakeSettings',
      ],
      resources: ['*'],
      because: 'Lake Formation has no resources in IAM; its own grants are on this database alone.',
    });
  }
}
