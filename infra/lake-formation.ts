import { Stack } from 'aws-cdk-lib';
import { CfnPrincipalPermissions } from 'aws-cdk-lib/aws-lakeformation';
import { Construct } from 'constructs';

export interface LakeFormationProps {
  /** Name of the Glue database. */
  readonly database: string;
  /** ARNs of the roles that write its tables, by the name of their function. */
  readonly writers: Readonly<Record<string, string>>;
  /** ARNs that query them. */
  readonly readers: readonly string[];
}

/** Lake Formation's own rights. @see https://docs.aws.amazon.com/lake-formation/latest/dg/lf-permissions-reference.html */
const WRITING = { database: ['CREATE_TABLE', 'DESCRIBE'], tables: ['SELECT', 'DESCRIBE', 'ALTER', 'DROP'] };
const READING = { database: ['DESCRIBE'], tables: ['SELECT', 'DESCRIBE'] };

/** Lake Formation's grants on the database and all its tables. Whoever deploys must be its administrator. */
export class LakeFormation extends Construct {
  constructor(scope: Construct, id: string, { database, writers, readers }: LakeFormationProps) {
    super(scope, id);
    const catalogId = Stack.of(this).account;
    const grant = (name: string, arn: string, rights: typeof READING) => {
      const of = { principal: { dataLakePrincipalIdentifier: arn }, permissionsWithGrantOption: [] };
      new CfnPrincipalPermissions(this, `${name}Database`, {
        ...of,
        resource: { database: { catalogId, name: database } },
        permissions: rights.database,
      });
      new CfnPrincipalPermissions(this, `${name}Tables`, {
        ...of,
        resource: { table: { catalogId, databaseName: database, tableWildcard: {} } },
        permissions: rights.tables,
      });
    };
    for (const [name, arn] of Object.entries(writers)) grant(name, arn, WRITING);
    readers.forEach((arn, index) => {
      grant(`Reader${index}`, arn, READING);
    });
  }
}
