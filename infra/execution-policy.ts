import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attachCustomSynthesis, CfnResource, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import { actionsIn } from './allow.ts';
/**
 * The rights with which CloudFormation makes, reads, changes and removes a resource of a type. They are from the type's
 * schema, for the properties that the stack sets. '' = for every template. {name} = of the installation, {made} = a name
 * that CloudFormation makes.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/resource-type-schemas.html
 */
import RIGHTS from './execution-rights.json' with { type: 'json' };

/** A managed policy has room for so many characters. @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
const MOST_CHARACTERS = 6144;
/** For a name that has little room, such as a role's, CloudFormation takes the beginning of the stack's name. */
const LEAST_OF_STACK = 24;
/** The services that get a role of the stack. */
const SERVICES = ['events', 'lakeformation', 'lambda', 'scheduler', 'states'];
/** With a boundary in the config, no role is without it. */
const BOUNDED: readonly string[] = ['iam:CreateRole', 'iam:PutRolePermissionsBoundary', 'iam:PutRolePolicy'];

/**
 * Has the synthesis write the policies of the role with which CloudFormation deploys this installation, next to its
 * template: execution-policy-STACK-1.json and so on. They allow what the types of its resources need, and no more.
 */
export function writeExecutionPolicy(installation: Construct, config: Config): void {
  attachCustomSynthesis(installation, {
    onSynthesize: ({ outdir }) => {
      const stack = Stack.of(installation).stackName;
      const resources = installation.node.findAll().filter(CfnResource.isCfnResource);
      const types = new Set(resources.map(({ cfnResourceType }) => cfnResourceType));
      executionPolicies(types, { stack, config }).forEach((policy, index) => {
        writeFileSync(join(outdir, `execution-policy-${stack}-${index + 1}.json`), JSON.stringify(policy));
      });
    },
  });
}

/** The documents of policies for resources of these types. Throws if a type has no rights in the table. */
export function executionPolicies(
  types: ReadonlySet<string>,
  { stack, config }: { readonly stack: string; readonly config: Config },
) {
  const table: Readonly<Record<string, Readonly<Record<string, string>>>> = RIGHTS.types;
  const granted = ['', ...types].flatMap((type) => {
    const rights = table[type];
    if (rights === undefined)
      throw new Error(`${type} has no rights in infra/execution-rights.json: add them.`);
    return Object.entries(rights).flatMap(([resources, words]) =>
      actionsIn(words).map((action) => ({ resources, action })),
    );
  });
  const made = stack.length > LEAST_OF_STACK ? `${stack.slice(0, LEAST_OF_STACK)}*` : `${stack}-*`;
  const names: Readonly<Record<string, string>> = { name: config.name, made, bucket: made.toLowerCase() };
  const patterns: Readonly<Record<string, readonly string[]>> = RIGHTS.resources;
  const conditionOf = conditionsBy(config);
  const statements = [...Map.groupBy(granted, ({ resources }) => resources)].flatMap(([resources, all]) => {
    const Resource = (patterns[resources] ?? []).map((arn) =>
      arn.replace(/\{(\w+)\}/, (_, key) => names[key] ?? ''),
    );
    const actions = new Set(all.map(({ action }) => action));
    return [...Map.groupBy(actions, conditionOf)].map(([Condition, Action]) => ({
      Effect: 'Allow',
      Action,
      Resource,
      ...(Condition && { Condition }),
    }));
  });
  const policies: (typeof statements)[] = [[]];
  for (const statement of statements) {
    const last = policies.at(-1) ?? [];
    if (JSON.stringify(document([...last, statement])).length <= MOST_CHARACTERS) last.push(statement);
    else policies.push([statement]);
  }
  return policies.map(document);
}

const document = <T>(Statement: readonly T[]) => ({ Version: '2012-10-17', Statement });

function conditionsBy({ permissionsBoundaryArn: boundary }: Config): (action: string) => object | undefined {
  const passed = { StringEquals: { 'iam:PassedToService': SERVICES.map((each) => `${each}.amazonaws.com`) } };
  const bounded = boundary && { StringEquals: { 'iam:PermissionsBoundary': boundary } };
  return (action) => {
    if (action === 'iam:PassRole') return passed;
    return bounded && BOUNDED.includes(action) ? bounded : undefined;
  };
}
