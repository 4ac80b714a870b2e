import { describe, expect, it } from 'vitest';
import { someOf } from '../support/some-of.ts';
import { resolvedSize, statementsOf, templateOf } from './synthesized.ts';

/** Characters of a document without white space, with its references resolved. @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
const MANAGED = 6144;
/** Of all inline policies of a role together. */
const INLINE = 10_240;
const ATTACHED = 10;
/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
const TEMPLATE_BYTES = 1_048_576;
const RESOURCES = 500;

const KEY = 'arn:aws-us-gov:kms:ap-southeast-2:111122223333:key/mrk-1234567890abcdef1234567890abcdef';
const sourcesNamed = (count: number, secretOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ name: `s${index}`, kind: 'signage', baseUrl: 'https://signage.example.com' },
    secret: secretOf(index),
  }));

const SECRETS: readonly (readonly [string, number, (index: number) => string])[] = [
  ['two sources', 2, (index) => `signage-export/source-${index}`],
  ['forty secrets with long names', 40, (index) => `team/${'x'.repeat(60)}-${index}`],
  ['a hundred secrets below one name', 100, (index) => `signage-export/source-${index}`],
  [
    'a hundred secrets by their ARNs, below one name',
    100,
    (index) => `arn:aws:secretsmanager:eu-central-1:111122223333:secret:signage/of-customer-${index}-berlin`,
  ],
  ['a thousand secrets below ten names', 1000, (index) => `customer-${index % 10}/signage/source-${index}`],
  ['a thousand secrets, each in its folder', 1000, (index) => `signage/customer-${index}/api/key`],
  ['as many as operators’ policies hold', 25, (index) => `signage-${String(index).padStart(10, '0')}`],
];

describe.each(SECRETS)('a template of %s', (_what, count, secretOf) => {
  const sources = sourcesNamed(count, secretOf);
  const { resources, ofType, bytes } = templateOf({
    name: 'a'.repeat(40),
    sources,
    maskSecret: 'masks/signage-export',
    ...{ kmsKeyArn: KEY, secretsKmsKeyArn: KEY, catalogKmsKeyArn: KEY },
  });

  it('keeps within the limits of CloudFormation', () => {
    expect(bytes).toBeLessThan(TEMPLATE_BYTES);
    expect(Object.keys(resources).length).toBeLessThan(RESOURCES);
  });

  it('has policies within the limits of IAM', () => {
    for (const { id, Properties } of someOf(ofType('AWS::IAM::ManagedPolicy'))) {
      expect(resolvedSize(Properties['PolicyDocument']), id).toBeLessThan(MANAGED);
    }
    for (const { id } of someOf(ofType('AWS::IAM::Role'))) {
      const refers = (policy: { readonly Properties: Readonly<Record<string, unknown>> }) =>
        JSON.stringify(policy.Properties['Roles'] ?? []).includes(`"${id}"`);
      const inline = ofType('AWS::IAM::Policy').filter(refers);
      const sum = inline.reduce((all, { Properties }) => all + resolvedSize(Properties['PolicyDocument']), 0);
      expect(sum, id).toBeLessThan(INLINE);
      expect(ofType('AWS::IAM::ManagedPolicy').filter(refers).length, id).toBeLessThanOrEqual(ATTACHED);
    }
  });

  it('lets list and collect read every secret of the config', () => {
    for (const stage of ['List', 'Collect']) {
      const patterns = statementsOf(resources, `Pipeline${stage}Role`)
        .filter(({ actions }) => actions.includes('secretsmanager:GetSecretValue'))
        .flatMap(({ resources: arns }) => arns.map((arn) => arn.split(':secret:')[1] ?? ''));
      const matching = (secret: string) => {
        const name = secret.split(':secret:').at(-1);
        return patterns.filter((pattern) => matches(pattern, `${name}-aBcDeF`));
      };
      expect(sources.filter(({ secret }) => matching(secret).length === 0)).toEqual([]);
      // Never more than what lies below the names of the config's secrets.
      expect(patterns.filter((pattern) => matches(pattern, 'another/secret-aBcDeF'))).toEqual([]);
    }
  });
});

it.each([
  ['maskSecret', { maskSecret: 'prod/mask' }],
  ['notify.webhookSecret', { notify: { webhookSecret: 'prod/hooks/teams', form: 'teams' } }],
])(
  '%s below the folder that list and collect may read is refused by synth with the cure',
  (setting, settings) => {
    const sources = sourcesNamed(100, (index) => `prod/signage-${index}`);
    const cure = `all of "prod/\\*": give it a name that begins otherwise`;
    const says = new RegExp(`^${setting} is "prod/[a-z/]+", and .* ${cure}`);
    expect(() => templateOf({ sources, ...settings })).toThrow(says);
  },
);

function matches(pattern: string, text: string): boolean {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(text);
}
