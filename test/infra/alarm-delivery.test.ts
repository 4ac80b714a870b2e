import { App, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { SignageExport } from '../../infra/signage-export.ts';
import { someOf } from '../support/some-of.ts';
import { configWith, spelled, templateOf } from './synthesized.ts';

interface PolicyStatement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Principal: { readonly Service?: string; readonly AWS?: unknown };
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** From every alarm by its actions to the topic, its policy and its key: a link that lacks is a message that never comes. */
function deliveryOf(settings: Readonly<Record<string, unknown>>) {
  const template = templateOf(settings);
  const alarms = template.ofType('AWS::CloudWatch::Alarm');
  const actions = alarms.flatMap(({ id, Properties }) =>
    ['AlarmActions', 'OKActions'].map((kind) => ({
      id,
      kind,
      topics: ((Properties[kind] as readonly unknown[] | undefined) ?? []).map(spelled),
    })),
  );
  const policies = template.ofType('AWS::SNS::TopicPolicy').map(({ Properties }) => ({
    topics: (Properties['Topics'] as readonly unknown[]).map(spelled),
    statements: (Properties['PolicyDocument'] as { readonly Statement: readonly PolicyStatement[] })
      .Statement,
  }));
  return { template, alarms, actions, policies };
}

describe('an installation whose alarms nobody hears', () => {
  const warned = (settings: object) => {
    const stack = new Stack(new App({ context: { 'aws:cdk:bundling-stacks': [] } }), 'signage');
    new SignageExport(stack, 'Default', { config: configWith({ ...settings }) });
    return Annotations.fromStack(stack)
      .findWarning('*', Match.anyValue())
      .map(({ entry }) => String(entry.data))
      .filter((says) => says.includes('nobody hears'));
  };

  it('is warned by synth in one line, with the cure', () => {
    expect(warned({ alarmEmail: undefined })).toEqual([
      'alarmEmail and alarmTopicArn are missing in the config, so nobody hears an alarm: set one of them. [ack: signage-export:nobody-hears-alarms]',
    ]);
    expect(warned({})).toEqual([]);
    const alarmTopicArn = 'arn:aws:sns:eu-central-1:111122223333:ops';
    expect(warned({ alarmEmail: undefined, alarmTopicArn })).toEqual([]);
  });
});

describe('what an alarm says', () => {
  const { template, alarms, actions, policies } = deliveryOf({});

  it('goes to one topic of the stack, when it begins and when it ends', () => {
    const topics = template.ofType('AWS::SNS::Topic').map(({ id }) => `<${id}>`);
    expect(topics).toHaveLength(1);
    expect(actions).toHaveLength(2 * alarms.length);
    for (const action of actions) expect(action).toMatchObject({ topics });
    // As docs/run/deploy.md says: each says OK once after it was made.
    expect(alarms).toHaveLength(9);
  });

  it('may be published there by CloudWatch for this account, in a policy that replaces the default of SNS', () => {
    for (const topic of someOf(new Set(actions.flatMap(({ topics }) => topics)))) {
      const statements = policies
        .filter(({ topics }) => topics.includes(topic))
        .flatMap((each) => each.statements);
      const allowed = statements.filter(
        ({ Effect, Action, Principal }) =>
          Effect === 'Allow' &&
          [Action].flat().includes('sns:Publish') &&
          Principal.Service === 'cloudwatch.amazonaws.com',
      );
      expect(allowed).toHaveLength(1);
      expect(allowed[0]?.Condition).toEqual({
        StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
      });
      const denied = statements.filter(({ Effect }) => Effect === 'Deny');
      expect(denied.map(({ Condition }) => Condition)).toEqual([
        { Bool: { 'aws:SecureTransport': 'false' } },
      ]);
    }
  });
});
