import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnNamedQuery } from 'aws-cdk-lib/aws-athena';
import { CfnDatabase } from 'aws-cdk-lib/aws-glue';
import type { Construct } from 'constructs';
import { addReaders, rowFiltersOf } from './readers.ts';
import type { Queried } from './rights.ts';

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
