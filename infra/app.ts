import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { App, Stack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { stackName } from '../lib/config/config.ts';
import { readConfig } from '../lib/config/parse-config.ts';
import { ExportError } from '../lib/errors.ts';
import { architectureNamed } from './bindings.ts';
import { deployTarget } from './deploy-target.ts';
import { FEATURE_FLAGS } from './feature-flags.ts';
import { SignageExport } from './signage-export.ts';

/**
 * The CDK app. `-c config=FILE` names another config than export.config.json, `-c existingLake=BUCKET` a
 * bucket that already has a lake; `-c architecture=x86_64` is for tests.
 */
// Without this, CDK synthesizes a partial stack after a mistake, and reports that too.
const app = new App({ context: FEATURE_FLAGS, autoSynth: false });
const text = (key: string, otherwise: string): string => {
  const value: unknown = app.node.tryGetContext(key);
  return typeof value === 'string' ? value : otherwise;
};
try {
  const file = text('config', 'export.config.json');
  const config = await readConfig(file);
  // AWS's tools read the region of a profile from it.
  const ofProfiles = process.env['AWS_CONFIG_FILE'] ?? join(homedir(), '.aws', 'config');
  const profiles = existsSync(ofProfiles) ? readFileSync(ofProfiles, 'utf8') : '';
  const target = deployTarget(process.env, profiles);
  const architecture = architectureNamed(text('architecture', 'arm64'));
  const stack = new Stack(app, stackName(config), {
    description: 'Copies digital-signage and backup-storage APIs into Parquet for Athena and BI',
    tags: { application: 'signage-export', installation: config.name, ...config.tags },
    ...(target !== undefined && { env: target }),
  });
  // CDK leaves this id out of the logical ids.
  new SignageExport(stack, 'Default', { config: file, architecture });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  app.synth();
} catch (error) {
  if (!(error instanceof ExportError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
