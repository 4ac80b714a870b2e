import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { App, type Environment, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import type { Config } from '#lib/config/config.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { FEATURE_FLAGS } from '../../infra/feature-flags.ts';
import { SignageExport } from '../../infra/signage-export.ts';

export const CONFIG_FILE = fileURLToPath(new URL('fixtures/export.config.json', import.meta.url));

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
}

/** The config of the fixture, with these settings over it. */
export function configWith(settings: Readonly<Record<string, unknown>>): Config {
  const written = { ...JSON.parse(readFileSync(CONFIG_FILE, 'utf8')), ...settings };
  return parseConfig(JSON.stringify(written), CONFIG_FILE);
}

type Settings = Readonly<Record<string, unknown>>;
interface Props {
  readonly env?: Environment;
  readonly existingLake?: string;
}

const made = new Map<string, ReturnType<typeof synthesize>>();

/**
 * The template of an installation, not bundled; `settings` are put over the config of the fixture. Made once of each: CDK
 * takes half a second.
 */
export function templateOf(settings: Settings = {}, props: Props = {}): ReturnType<typeof synthesize> {
  const key = JSON.stringify([settings, props], (_, value) => (value === undefined ? 'left out' : value));
  const template = made.get(key) ?? synthesize(settings, props);
  made.set(key, template);
  return template;
}

function synthesize(settings: Settings, { env, ...props }: Props) {
  const config = configWith(settings);
  const app = new App({ context: { ...FEATURE_FLAGS, 'aws:cdk:bundling-stacks': [] } });
  const stack = new Stack(app, 'signage', env && { env });
  new SignageExport(stack, 'Default', { config, architecture: 'arm64', ...props });
  const template = Template.fromStack(stack);
  const bytes = Buffer.byteLength(JSON.stringify(template.toJSON()));
  const resources = template.toJSON()['Resources'] as Readonly<Record<string, Resource>>;
  return {
    config,
    resources,
    mappings: (template.toJSON()['Mappings'] ?? {}) as Readonly<Record<string, unknown>>,
    outputs: template.toJSON()['Outputs'] as Readonly<Record<string, { readonly Value: unknown }>>,
    /** What synth warns of. */
    warnings: Annotations.fromStack(stack)
      .findWarning('*', Match.anyValue())
      .map(({ entry }) => String(entry.data)),
    /** Of the template, without white space. */
    bytes,
    ofType: (type: string): readonly (Resource & { readonly id: string })[] =>
      Object.entries(resources).flatMap(([id, resource]) =>
        resource.Type === type ? [{ id, ...resource }] : [],
      ),
  };
}

/** What Lake Formation grants: `ROLE: RIGHTS on RESOURCE, passes on RIGHTS`. */
export function grantsIn({ ofType }: Pick<ReturnType<typeof templateOf>, 'ofType'>): readonly string[] {
  return ofType('AWS::LakeFormation::PrincipalPermissions').map(({ Properties }) => {
    const { Principal, Resource, Permissions, PermissionsWithGrantOption } = Properties as {
      readonly Principal: { readonly DataLakePrincipalIdentifier: unknown };
      readonly Resource: object;
      readonly Permissions: readonly string[];
      readonly PermissionsWithGrantOption: readonly string[];
    };
    const who = spelled(Principal.DataLakePrincipalIdentifier).replace(/^<(\w+?)[0-9A-F]{8}\.Arn>$/, '$1');
    const passedOn =
      PermissionsWithGrantOption.length > 0 ? `, passes on ${PermissionsWithGrantOption.join(' ')}` : '';
    return `${who}: ${Permissions.join(' ')} on ${Object.keys(Resource)}${passedOn}`;
  });
}

/** A statement of a policy, with actions and resources as lists of text. */
export interface Statement {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions: unknown;
}

type Resources = Readonly<Record<string, Resource>>;

/** What the policies of a role say, found by what the role's id begins with. */
export function statementsOf(resources: Resources, role: string): readonly Statement[] {
  return Object.entries(resources)
    .filter(([id, { Type }]) => Type === 'AWS::IAM::Policy' && id.startsWith(role))
    .flatMap(([, { Properties }]) => statementsIn(Properties));
}

/** What the role of a stage may do. */
export function statementsOfStage(resources: Resources, stage: string): readonly Statement[] {
  return statementsOf(resources, `Pipeline${stage.slice(0, 1).toUpperCase()}${stage.slice(1)}Role`);
}

/** What a policy allows, or denies. */
export function statementsIn(
  properties: Readonly<Record<string, unknown>>,
  effect: 'Allow' | 'Deny' = 'Allow',
): readonly Statement[] {
  const document = properties['PolicyDocument'] as { readonly Statement: readonly Record<string, unknown>[] };
  const wanted = document.Statement.filter(({ Effect }) => Effect === effect);
  return wanted.map(({ Action, Resource: resource, Condition }) => ({
    actions: [Action].flat().map(String),
    resources: [resource].flat().map(spelled),
    conditions: Condition,
  }));
}

/** Characters of a value, each reference counted as the longest that AWS could put in its place. */
export function resolvedSize(value: unknown): number {
  return JSON.stringify(value, (_key, inside: unknown) =>
    isReference(inside) ? longest(spelled(inside)) : inside,
  ).length;
}

const isReference = (value: unknown) =>
  typeof value === 'object' && value !== null && /^(Ref|Fn::)/.test(Object.keys(value)[0] ?? '');

function longest(text: string): string {
  return text
    .replaceAll('<AWS::Partition>', 'aws-us-gov')
    .replaceAll('<AWS::Region>', 'ap-southeast-2')
    .replaceAll('<AWS::AccountId>', '111122223333')
    .replaceAll(/<\w+\.Arn>/g, `arn:aws-us-gov:lambda:ap-southeast-2:111122223333:function:${'n'.repeat(63)}`)
    .replaceAll(/<\w+>/g, 'n'.repeat(63));
}

/** A value of a template as text: `Fn::Join` joined, references as `<Name>`. */
export function spelled(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const [[kind, inside] = ['', '']] = Object.entries(value);
  if (kind === 'Ref') return `<${String(inside)}>`;
  if (kind === 'Fn::GetAtt') return `<${[inside].flat().join('.')}>`;
  if (kind === 'Fn::Join' && Array.isArray(inside)) return inside[1].map(spelled).join(inside[0]);
  return JSON.stringify(value);
}
