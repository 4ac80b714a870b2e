import { hash } from 'node:crypto';
import { Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnPrincipalPermissions, CfnResource } from 'aws-cdk-lib/aws-lakeformation';
import type { Construct } from 'constructs';
import { grant, type Queried } from './rights.ts';
import type { StageFunction } from './stage-function.ts';

/** Lake Formation's own rights. @see https://docs.aws.amazon.com/lake-formation/latest/dg/lf-permissions-reference.html */
const WRITING = { database: ['CREATE_TABLE', 'DESCRIBE'], tables: ['SELECT', 'DESCRIBE', 'ALTER', 'DROP'] };
const READING = { database: ['DESCRIBE'], tables: ['SELECT', 'DESCRIBE'] };
/** Who closes a table to everybody, or opens it again, must have all of it. */
const FILTERING = { tables: [...WRITING.tables, 'ALL'], passedOn: [...READING.tables, 'ALL'] };

/**
 * Adds Lake Formation's grants on the database and all its tables. Whoever deploys must be its administrator. Commits put the
 * row filters, for CloudFormation has no tables to put them on; here is what commits need for that. They have it without
 * filters too, to take back those of a former config.
 *
 * CloudFormation revokes a former grant after it has made the new one, also where both are the same. So a grant has the
 * id of its principal and resource, and does not change with the others.
 */
export function addGrants(scope: Construct, queried: Queried, writers: Record<string, StageFunction>): void {
  const { config } = queried;
  const { readers = [], rowFilters = [] } = config.lakeFormation ?? {};
  const catalogId = Stack.of(scope).account;
  const ofDatabase = { database: { catalogId, name: config.name } };
  const ofTables = { table: { catalogId, databaseName: config.name, tableWildcard: {} } };
  const permit = (
    id: string,
    arn: string,
    resource: CfnPrincipalPermissions.ResourceProperty,
    permissions: string[],
    permissionsWithGrantOption: string[] = [],
  ) =>
    new CfnPrincipalPermissions(scope, id, {
      principal: { dataLakePrincipalIdentifier: arn },
      ...{ resource, permissions, permissionsWithGrantOption },
    });
  const roles = Object.entries(writers).map(([name, { role }]) => [name, role.roleArn] as const);
  for (const [name, arn] of roles) {
    permit(`${name}Database`, arn, ofDatabase, WRITING.database);
    if (name === 'start') permit(`${name}Tables`, arn, ofTables, WRITING.tables);
    else permit(`${name}Tables`, arn, ofTables, FILTERING.tables, FILTERING.passedOn);
  }
  const filtered = rowFilters.flatMap((each) => each.readers);
  for (const arn of new Set([...readers, ...filtered]))
    permit(`Database-${idOf(arn)}`, arn, ofDatabase, READING.database);
  for (const arn of readers) permit(`Tables-${idOf(arn)}`, arn, ofTables, READING.tables);
  if (rowFilters.length === 0) return;
  const location = addLocation(scope, queried);
  const dataLocation = { catalogId, resourceArn: location.resourceArn };
  for (const [name, arn] of roles)
    permit(`${name}Location`, arn, { dataLocation }, ['DATA_LOCATION_ACCESS']).addResourceDependency(
      location,
    );
}

/** The tables' files, which Lake Formation opens by a role of its own: readers with a row filter open none. */
function addLocation(scope: Construct, queried: Queried): CfnResource {
  const role = new Role(scope, 'FilesRole', {
    assumedBy: new ServicePrincipal('lakeformation.amazonaws.com'),
    description: 'Reads the tables for queries with row filters',
  });
  grant(role, 'files', queried);
  const location = new CfnResource(scope, 'Location', {
    resourceArn: queried.storage.lake.arnForObjects('tables'),
    useServiceLinkedRole: false,
    roleArn: role.roleArn,
  });
  location.node.addDependency(role);
  return location;
}

const idOf = (arn: string): string => hash('sha256', arn).slice(0, 12);
