import { App, Stack } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { FEATURE_FLAGS } from '../../infra/feature-flags.ts';
import { SignageExport } from '../../infra/signage-export.ts';
import { kmsKeyArn } from './settings.ts';
import { configWith, type Resource, spelled, templateOf } from './synthesized.ts';

/** Groups whose names could be parts of names of the stack. */
const GROUPS = ['readers', 'operators', 'export', 'operate', 'list', 'watch', 'eu', 'count', 'finance'];
/** Kinds of resources that a name has once in an account, and not once in each of its regions. */
const GLOBAL = ['AWS::IAM::ManagedPolicy', 'AWS::IAM::Role', 'AWS::CloudWatch::Dashboard', 'AWS::S3::Bucket'];
/** Properties that name their resource; in `Name` of a Glue database it is deeper. */
const NAMING =
  /^(Name|(Function|Alarm|Dashboard|StateMachine|LogGroup|ManagedPolicy|Policy|Role|Topic|Queue|Bucket|Rule|Group|Layer|Secret|DB|Stack)Name)$/;

interface Named {
  readonly id: string;
  readonly type: string;
  readonly name: string;
}

/** The names that a template gives by itself, rather than AWS or CloudFormation. */
function namesIn(resources: Readonly<Record<string, Resource>>): readonly Named[] {
  return Object.entries(resources).flatMap(([id, { Type, Properties = {} }]) => {
    const inside = Type === 'AWS::Glue::Database' ? Properties['DatabaseInput'] : Properties;
    return Object.entries(inside ?? {})
      .filter(([property]) => NAMING.test(property))
      .map(([, value]) => ({ id, type: Type, name: spelled(value) }))
      .filter(({ name }) => !/^<[\w.]+>$/.test(name));
  });
}

/** Names that stand within what is named by the installation: a query of a workgroup, an inline policy of a role. */
const WITHIN = ['AWS::Athena::NamedQuery', 'AWS::IAM::Policy'];
const notify = { webhookSecret: 'x/hook' };
const settings = { name: 'aa', readers: GROUPS, maskSecret: 'x/mask', notify, kmsKeyArn };
const named = namesIn(templateOf(settings).resources).filter(({ type }) => !WITHIN.includes(type));

describe('the names that a template gives', () => {
  it('have the name of the installation in them', () => {
    expect(named.filter(({ name }) => !/(^|\/)aa(?![a-z0-9])/.test(name))).toEqual([]);
  });

  it('have the region in them where the account shares them over regions', () => {
    const shared = named.filter(({ type }) => GLOBAL.includes(type));
    expect(shared.length).toBeGreaterThan(GROUPS.length);
    expect(shared.filter(({ name }) => !name.includes('<AWS::Region>'))).toEqual([]);
  });

  it.each([...new Set(named.map(({ type }) => type))])('%s: are of no other installation', (type) => {
    const parts = named
      .filter((each) => each.type === type)
      .map(({ name }) => name.split(/(?<=(?:^|\/)aa)(?![a-z0-9])/));
    // Another installation has the rest of a name behind its own: is there one whose name would be the same?
    const taken = parts.flatMap(([mine = '', rest = '']) =>
      parts
        .filter(([other, end = '']) => other === mine && rest !== end && rest.endsWith(end))
        .map(([, end = '']) => `aa${rest.slice(0, rest.length - end.length)}`)
        .filter(isName),
    );
    expect([...new Set(taken)]).toEqual([]);
  });
});

/** Whether a config may have the name. */
function isName(name: string): boolean {
  try {
    return configWith({ name }).name === name;
  } catch {
    return false;
  }
}

describe('two installations of one name in an app', () => {
  const app = () => new App({ context: { ...FEATURE_FLAGS, 'aws:cdk:bundling-stacks': [] } });
  const install = (stack: Stack, id: string, name: string) =>
    new SignageExport(stack, id, { config: { ...configWith({ name }), $schema: 'x' } });
  const env = (region: string) => ({ env: { account: '111122223333', region } });

  it('are refused, for their resources would have the same names', () => {
    const root = app();
    install(new Stack(root, 'one', env('eu-central-1')), 'Default', 'berlin');
    const again = () => install(new Stack(root, 'two', env('eu-central-1')), 'Default', 'berlin');
    expect(again).toThrow(
      'two/Default and one/Default are both named "berlin", and would give their resources the same names: give each a name of its own in its config.',
    );
  });

  it('are none in another region or account', () => {
    const root = app();
    install(new Stack(root, 'one', env('eu-central-1')), 'Default', 'berlin');
    install(new Stack(root, 'two', env('eu-west-1')), 'Default', 'berlin');
    const env3 = { ...env('eu-west-1').env, account: '444455556666' };
    install(new Stack(root, 'three', { env: env3 }), 'Default', 'berlin');
    const last = () => install(new Stack(root, 'four', env('eu-west-1')), 'Default', 'paris');
    expect(last).not.toThrow();
  });
});
