import { Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';

/** What a role may do; a wildcard needs a reason. */
export interface Allowance {
  /** Of one service, such as `s3:GetObject PutObject`. */
  readonly actions: string;
  readonly resources: readonly string[];
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Why a resource or an action has `*`; needed if one has. */
  readonly because?: string | undefined;
}

export interface Grantee extends IConstruct {
  addToPolicy?(statement: PolicyStatement): unknown;
  addStatements?(...statement: PolicyStatement[]): unknown;
}

/** `s3:GetObject PutObject` is s3:GetObject and s3:PutObject. */
export function actionsIn(words: string): string[] {
  const [service, ...names] = words.split(/[: ]/);
  return names.map((name) => `${service}:${name}`);
}

/** Adds an allowance to a role or a managed policy. Throws if it has a wildcard without `because`. */
export function allow(to: Grantee, { resources, conditions = {}, because, ...given }: Allowance): void {
  const actions = actionsIn(given.actions);
  const statement = new PolicyStatement({ actions, resources: [...resources], conditions });
  if (to.addStatements !== undefined) to.addStatements(statement);
  else to.addToPolicy?.(statement);
  const all = [
    ...actions.map((each) => ({ kind: 'Action', text: each })),
    ...resources.map((each) => ({ kind: 'Resource', text: rendered(Stack.of(to).resolve(each)) })),
  ];
  for (const { kind, text } of all) {
    if (!text.includes('*')) continue;
    if (because === undefined)
      throw new Error(`${to.node.path}: ${text} has a wildcard, but no reason: give \`because\`.`);
    Validations.of(to).acknowledge({ id: `AwsSolutions-IAM5[${kind}::${text}]`, reason: because });
  }
}

/** The ARN of what the stack's account has in its region, such as `workgroup/signage` of `athena`. */
export function arnHere(scope: IConstruct, service: string, resource: string): string {
  const { partition, region, account } = Stack.of(scope);
  return `arn:${partition}:${service}:${region}:${account}:${resource}`;
}

/** A value of a template in cdk-nag's form: `<Lake.Arn>/raw/*`. */
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
