import { Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnPrincipalPermissions, CfnResource } from 'aws-cdk-lib/aws-lakeformation';
import { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import { allow, allowKey } from './allow.ts';
import type { Storage } from './storage.ts';

export interface LakeFormationProps {
  /** Name of the Glue database. */
  readonly database: string;
  /** ARNs of the roles that write its tables, by the name of their function. */
  readonly writers: Readonly<Record<string, string>>;
  readonly settings: NonNullable<Config['lakeFormation']>;
  readonly storage: Storage;
}

/** Lake Formation's own rights. @see https://docs.aws.amazon.com/lake-formation/latest/dg/lf-permissions-reference.html */
const WRITING = { database: ['CREATE_TABLE', 'DESCRIBE'], tables: ['SELECT', 'DESCRIBE', 'ALTER', 'DROP'] };
const READING = { database: ['DESCRIBE'], tables: ['SELECT', 'DESCRIBE'] };

/**
 * Lake Formation's grants on the database and all its tables. Whoever deploys must be its administrator. Commits put the
 * row filters, for CloudFormation has no tables to put them on; here is what commits need for that.
 */
export class LakeFormation extends Construct {
  constructor(scope: Construct, id: string, { database, writers, settings, storage }: LakeFormationProps) {
    super(scope, id);
    const { readers, rowFilters } = settings;
    const catalogId = Stack.of(this).account;
    const ofDatabase = { database: { catalogId, name: database } };
    const ofTables = { table: { catalogId, databaseName: database, tableWildcard: {} } };
    const passedOn = rowFilters.length > 0 ? READING.tables : [];
    for (const [name, arn] of Object.entries(writers)) {
      this.grant(`${name}Database`, arn, ofDatabase, WRITING.database);
      this.grant(`${name}Tables`, arn, ofTables, WRITING.tables, passedOn);
    }
    for (const [index, arn] of readers.entries()) {
      this.grant(`Reader${index}Database`, arn, ofDatabase, READING.database);
      this.grant(`Reader${index}Tables`, arn, ofTables, READING.tables);
    }
    if (rowFilters.length === 0) return;
    const filtered = new Set(rowFilters.flatMap((each) => each.readers));
    for (const [index, arn] of [...filtered].entries())
      this.grant(`Filtered${index}Database`, arn, ofDatabase, READING.database);
    const location = this.addLocation(storage);
    const dataLocation = { catalogId, resourceArn: location.resourceArn };
    for (const [name, arn] of Object.entries(writers))
      this.grant(`${name}Location`, arn, { dataLocation }, ['DATA_LOCATION_ACCESS']).addResourceDependency(
        location,
      );
  }

  private grant(
    id: string,
    arn: string,
    resource: CfnPrincipalPermissions.ResourceProperty,
    permissions: string[],
    permissionsWithGrantOption: string[] = [],
  ): CfnPrincipalPermissions {
    const principal = { dataLakePrincipalIdentifier: arn };
    return new CfnPrincipalPermissions(this, id, {
      principal,
      resource,
      permissions,
      permissionsWithGrantOption,
    });
  }

  /** The tables' files, which Lake Formation opens by a role of its own: readers with a row filter open none. */
  private addLocation({ lake, key }: Storage): CfnResource {
    const role = new Role(this, 'FilesRole', {
      assumedBy: new ServicePrincipal('lakeformation.amazonaws.com'),
      description: 'Reads the tables for queries with row filters',
    });
    const because = 'It reads every file of the tables.';
    allow(
      role,
      { actions: ['s3:GetObject'], resources: [lake.arnForObjects('tables/*')], because },
      { actions: ['s3:ListBucket'], resources: [lake.bucketArn] },
    );
    allowKey(role, { keyArn: key?.keyArn, service: 's3', actions: ['kms:Decrypt'] });
    const location = new CfnResource(this, 'Location', {
      resourceArn: lake.arnForObjects('tables'),
      useServiceLinkedRole: false,
      roleArn: role.roleArn,
    });
    location.node.addDependency(role);
    return location;
  }
}
