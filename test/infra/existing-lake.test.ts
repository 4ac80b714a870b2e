import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { SignageExport, type SignageExportProps } from '../../infra/signage-export.ts';
import { configWith } from './synthesized.ts';

/** An app as that of examples/one-customer, with a context of cdk.json or of `-c`. */
function installed(context: object, props: SignageExportProps = {}) {
  const app = new App({ context: { ...context, 'aws:cdk:bundling-stacks': [] } });
  const stack = new Stack(app, 'signage');
  new SignageExport(stack, 'Default', { config: 'examples/one-customer/export.config.json', ...props });
  return { app, template: Template.fromStack(stack) };
}

describe('an installation over an existing lake', () => {
  it.each([
    ['by the context of any app', { existingLake: 'lake-of-before' }, {}],
    ['by its prop, also beside a context', { existingLake: 'another' }, { existingLake: 'lake-of-before' }],
  ])('%s makes no bucket for it', (_how, context, props) => {
    const { template } = installed(context, props);
    expect(template.findOutputs('Lake')).toMatchObject({ Lake: { Value: 's3://lake-of-before' } });
    template.resourceCountIs('AWS::S3::Bucket', 2);
    const functions = JSON.stringify(template.findResources('AWS::Lambda::Function'));
    expect(functions).toContain('"LAKE":"s3://lake-of-before"');
    expect(functions).not.toContain('StorageLake');
  });

  it('is refused by the context where the app has another one, for both would write to that lake', () => {
    const { app } = installed({ existingLake: 'lake-of-before' });
    const second = () =>
      new SignageExport(new Stack(app, 'two'), 'Default', { config: { ...configWith({ name: 'two' }) } });
    expect(second).toThrow(
      'two/Default and signage/Default would both write to the lake lake-of-before: name it in the prop existingLake of one of them, not in the context.',
    );
  });
});
