import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnNamedQuery } from 'aws-cdk-lib/aws-athena';
import { CfnDatabase } from 'aws-cdk-lib/aws-glue';
import type { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import { allow, allowKey, arnHere } from './allow.ts';
import { addReaders, type Queried, rowFiltersOf } from './readers.ts';
import type { StageFunction } from './stage-function.ts';

/** Adds the Glue database, workgroups and a saved query. Its tables and views are written by commits, not by CloudFormation. */
export function addReporting(scope: Construct, queried: Queried) {
  const { name, ...config } = queried.config;
  const database = new CfnDatabase(scope, 'Database', {
    catalogId: Stack.of(scope).account,
    databaseInput: {
      ...{ name, description: 'Tables of signage-export, written by its commits' },
      // Otherwise a new table is open to everybody whom IAM lets ask.
      ...(rowFiltersOf(queried.config).length > 0 && { createTableDefaultPermissions: [] }),
    },
  });
  database.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
  const readers = addReaders(scope, queried);
  for (const group of config.readers ?? []) addReaders(scope, queried, group);
  const query = new CfnNamedQuery(scope, 'Query-runs-newest', {
    ...{ name: 'runs-newest', database: name, workGroup: name },
    queryString: 'select * from runs order by export_date desc, started_at desc limit 50',
  });
  query.addResourceDependency(readers.workgroup);
  return readers;
}

/** Lets a stage write the tables of the database. */
export function allowCatalog({ role }: StageFunction, { name, catalogKmsKeyArn }: Config): void {
  const ofDatabase = ['catalog', `database/${name}`, `table/${name}/*`];
  allow(role, {
    actions: [
      'glue:GetTables CreateTable UpdateTable BatchDeleteTable DeleteTable GetPartitions',
      'glue:BatchCreatePartition BatchUpdatePartition UpdatePartition BatchDeletePartition',
    ],
    resources: ofDatabase.map((resource) => arnHere(role, 'glue', resource)),
    because: 'Runs decide which tables its own database has.',
  });
  allowKey(role, { keyArn: catalogKmsKeyArn, service: 'glue' });
}

/** Lets a stage put the row filters of the tables, and take back those of a former config, with `lakeFormation`. */
export function allowRowFilters({ role }: StageFunction, { lakeFormation }: Config): void {
  if (lakeFormation === undefined) return;
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
