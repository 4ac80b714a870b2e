import { Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';

/** What a role may do; with its reason where a resource has a wildcard. */
export interface Allowance {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Due where a resource has `*`. */
  readonly because?: string;
}

interface Grantee extends IConstruct {
  addToPolicy?(statement: PolicyStatement): unknown;
  addStatements?(...statement: PolicyStatement[]): unknown;
}

/** Allows it to a role or in a managed policy. Throws where a resource has a wildcard that no reason is written for. */
export function allow(to: Grantee, { actions, resources, conditions, because }: Allowance): void {
  const statement = new PolicyStatement({
    actions: [...actions],
    resources: [...resources],
    ...(conditions !== undefined && { conditions }),
  });
  if (to.addStatements !== undefined) to.addStatements(statement);
  else to.addToPolicy?.(statement);
  for (const resource of resources.map((each) => rendered(Stack.of(to).resolve(each)))) {
    if (!resource.includes('*')) continue;
    if (because === undefined)
      throw new Error(`${to.node.path}: ${resource} has a wildcard without a reason.`);
    Validations.of(to).acknowledge({ id: `AwsSolutions-IAM5[Resource::${resource}]`, reason: because });
  }
}

export interface KeyAllowance {
  /** Undefined where AWS's own key is used, which nobody needs a right for. */
  readonly keyArn: string | undefined;
  /** The service on whose behalf alone the key is used, such as `s3`. */
  readonly service: string;
  /** @default reading and writing */
  readonly actions?: readonly string[];
}

/** Allows a customer's key, bound to one service. */
export function allowKey(to: Grantee, { keyArn, service, actions }: KeyAllowance): void {
  if (keyArn === undefined) return;
  allow(to, {
    actions: actions ?? ['kms:Decrypt', 'kms:GenerateDataKey'],
    resources: [keyArn],
    conditions: { StringEquals: { 'kms:ViaService': `${service}.${Stack.of(to).region}.amazonaws.com` } },
  });
}

/** A value of a template as cdk-nag spells it: `<Lake.Arn>/raw/*`. */
function rendered(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const [[kind, inside] = ['', '']] = Object.entries(value);
  if (kind === 'Ref') return `<${String(inside)}>`;
  if (kind === 'Fn::GetAtt' && Array.isArray(inside)) return `<${inside.join('.')}>`;
  if (kind === 'Fn::Join' && Array.isArray(inside) && Array.isArray(inside[1])) {
    return inside[1].map(rendered).join(String(inside[0]));
  }
  return JSON.stringify(value);
}
