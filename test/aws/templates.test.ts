import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { App, Stack, Validations } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '#lib/config/parse-config.ts';
import { FEATURE_FLAGS } from '../../infra/feature-flags.ts';
import { SignageExport } from '../../infra/signage-export.ts';
import { CONFIG_FILE } from '../infra/synthesized.ts';
import { cfnLint } from './support/tools.ts';

const run = promisify(execFile);

/** All that adds resources or rights. */
const EVERYTHING = {
  kmsKeyArn: 'arn:aws:kms:eu-central-1:111122223333:key/12345678-1234-1234-1234-123456789012',
  readers: ['finance', 'ops'],
  lakeFormation: {
    readers: ['arn:aws:iam::111122223333:role/bi'],
    rowFilters: [{ group: 'finance', sources: ['s0'], readers: ['arn:aws:iam::111122223333:role/s0'] }],
  },
  notify: { webhookSecret: 'hooks/signage-export', topicArn: 'arn:aws:sns:eu-central-1:111122223333:news' },
  vpc: {
    ...{ vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d', 'subnet-1a1b2c3d'] },
    ...{ s3PrefixListId: 'pl-0a1b2c3d', dnsServers: ['10.0.0.2'] },
  },
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signage-export-templates-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Throws what cdk-nag finds. */
function checked(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  app.synth();
}

it('a template with a bucket without logs is not clean by cdk-nag', () => {
  const app = new App({ outdir: join(folder, 'bucket'), context: FEATURE_FLAGS });
  new Bucket(new Stack(app, 'bucket'), 'Bucket');
  expect(() => checked(app)).toThrow('AwsSolutions-S1');
});

describe.each([
  ['2 sources', 2, {}],
  ['2 sources with every setting', 2, EVERYTHING],
  ['1,000 sources with every setting', 1000, EVERYTHING],
])('a template of %s', (_what, count, settings) => {
  it('is clean by cdk-nag and by cfn-lint', async () => {
    const sources = Array.from({ length: count }, (_, index) => ({
      name: `s${index}`,
      kind: 'signage',
      baseUrl: 'https://signage.example.com:8443',
      secret: `signage-export/source-${index}`,
    }));
    const written = { ...JSON.parse(readFileSync(CONFIG_FILE, 'utf8')), ...settings, sources };
    const config = parseConfig(JSON.stringify(written), CONFIG_FILE);
    const outdir = join(folder, `${count}-${Object.keys(settings).length}`);
    const app = new App({ outdir, context: { ...FEATURE_FLAGS, 'aws:cdk:bundling-stacks': [] } });
    const stack = new Stack(app, 'signage', { env: { account: '111122223333', region: 'eu-central-1' } });
    new SignageExport(stack, 'Default', { config, architecture: 'arm64' });
    checked(app);
    const template = join(outdir, 'signage.template.json');
    const { stdout } = await run(await cfnLint(), ['-i', 'W3005', '--', template]);
    expect(stdout).toBe('');
  });
});
