import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  CloudFormationClient,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  DescribeStateMachineCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  SFNClient,
} from '@aws-sdk/client-sfn';
import { App, Stack } from 'aws-cdk-lib';
import { FEATURE_FLAGS } from '../../../infra/feature-flags.ts';
import { SignageExport } from '../../../infra/signage-export.ts';
import { command } from '../../aws/support/command.ts';
import { ACCOUNT, type Emulator, REGION } from './emulator.ts';

const run = promisify(execFile);

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** The command line of CDK, for Node. */
export const CDK = join(ROOT, 'node_modules/aws-cdk/bin/cdk');
const MOST_OUTPUT = 64 * 1024 * 1024;

export interface TemplateResource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
}

/** An installation on the emulator: its config, its stack, and the project's own tools that work on it. */
export type Installation = Awaited<ReturnType<typeof installationOf>>;

/** An installation of this config, in a folder of its own below that of the test. */
export async function installationOf(options: {
  readonly emulator: Emulator;
  readonly folder: string;
  readonly config: Readonly<Record<string, unknown>> & { readonly name: string };
}) {
  const { emulator, folder, config } = options;
  const { name } = config;
  const [file, out] = [join(folder, `${name}.config.json`), join(folder, `${name}.out`)];
  await writeFile(file, JSON.stringify(config));
  const env = { ...process.env, ...emulator.environment };
  const cdk = (words: readonly string[], cwd = ROOT) =>
    run(process.execPath, [CDK, ...words], { cwd, env, maxBuffer: MOST_OUTPUT });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = { endpoint: emulator.url, region: REGION, credentials };
  const [lambda, sfn, cloudFormation] = [
    new LambdaClient(client),
    new SFNClient(client),
    new CloudFormationClient(client),
  ];
  const templateFile = join(out, `${name}.template.json`);
  const resources = async () =>
    (await cloudFormation.send(new DescribeStackResourcesCommand({ StackName: name }))).StackResources ?? [];
  const stateMachineArn = `arn:aws:states:${REGION}:000000000000:stateMachine:${name}-export`;
  return {
    name,
    config: file,
    /** `npm run synth` by the code in a folder, with more of CDK's context. */
    synth: async (root = ROOT, more: readonly string[] = []) => {
      await rm(out, { recursive: true, force: true });
      const context = [`config=${file}`, 'architecture=x86_64', ...more].flatMap((each) => ['-c', each]);
      await cdk(['synth', '--quiet', '--output', out, ...context], root);
    },
    template: async (): Promise<Readonly<Record<string, TemplateResource>>> =>
      JSON.parse(await readFile(templateFile, 'utf8')).Resources,
    /** Puts a changed template in the place of the synthesized one. */
    change: async (change: (resources: Record<string, TemplateResource>) => void) => {
      const template = JSON.parse(await readFile(templateFile, 'utf8'));
      change(template.Resources);
      await replaceTemplate({ out, name, text: JSON.stringify(template) });
    },
    /** `cdk bootstrap` with the policies that a synthesis writes, as docs/run/deploy.md says; their ARNs. */
    bootstrap: async (): Promise<readonly string[]> => {
      // Without bundles, which take longer than all the rest.
      const outdir = join(folder, `${name}.policies`);
      const app = new App({ outdir, context: { ...FEATURE_FLAGS, 'aws:cdk:bundling-stacks': [] } });
      const stack = new Stack(app, name, { env: { account: ACCOUNT, region: REGION } });
      new SignageExport(stack, 'Default', { config: file });
      app.synth();
      const arns: string[] = [];
      for (const policy of (await readdir(outdir)).filter((each) => each.startsWith('execution-policy-'))) {
        const [policyName] = policy.split('.');
        const document = `file://${join(outdir, policy)}`;
        const words = ['--policy-name', policyName ?? '', '--policy-document', document];
        arns.push((await emulator.aws('iam', 'create-policy', ...words)).Policy.Arn);
      }
      const place = `aws://${ACCOUNT}/${REGION}`;
      await cdk(['bootstrap', place, '--cloudformation-execution-policies', arns.join()], folder);
      return arns;
    },
    /** `cdk deploy` of what was synthesized. Throws where it fails, with what it said. */
    deploy: async () => {
      const words = [join(ROOT, 'infra/deploy.ts'), '--ci', '--app', out, '--progress', 'events'];
      await run(process.execPath, words, { cwd: ROOT, env, maxBuffer: MOST_OUTPUT }).catch(sayingWhatFailed);
    },
    destroy: async () => {
      await cdk(['destroy', '--app', out, '--force', '--ci']);
    },
    /** The command line with this config, by the account's administrator unless credentials are given. */
    ask: (args: readonly string[], { input = '', credentials = {} }: Asking = {}) =>
      command([...args, '--config', file], {
        environment: { ...emulator.environment, ...credentials },
        input,
      }),
    /** How many of the stack's resources are in which state. */
    states: async () => {
      const byState = Map.groupBy(await resources(), ({ ResourceStatus }) => String(ResourceStatus));
      return new Map([...byState].map(([state, all]) => [state, all.length]));
    },
    /** Physical names by logical ids. */
    physicalIds: async () =>
      new Map(
        (await resources()).map(({ LogicalResourceId, PhysicalResourceId }) => [
          String(LogicalResourceId),
          String(PhysicalResourceId),
        ]),
      ),
    outputs: async (): Promise<Readonly<Record<string, string>>> => {
      const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName: name }));
      const outputs = Stacks?.[0]?.Outputs ?? [];
      return Object.fromEntries(outputs.map(({ OutputKey, OutputValue = '' }) => [OutputKey, OutputValue]));
    },
    /** Invokes a function and gives its answer; throws its error. */
    invoke: async (stage: string, event: unknown): Promise<unknown> => {
      const Payload = Buffer.from(JSON.stringify(event));
      const answer = await lambda.send(new InvokeCommand({ FunctionName: `${name}-${stage}`, Payload }));
      const body = JSON.parse(Buffer.from(answer.Payload ?? []).toString('utf8') || 'null');
      if (answer.FunctionError === undefined) return body;
      throw Object.assign(new Error(String(body?.errorMessage)), { name: String(body?.errorType) });
    },
    /** As EventBridge Scheduler does: it hands the event over and does not wait. */
    deliver: async (stage: string, event: string) => {
      await lambda.send(
        new InvokeCommand({
          ...{ FunctionName: `${name}-${stage}`, InvocationType: 'Event', Payload: Buffer.from(event) },
        }),
      );
    },
    /** The newest first. */
    executions: async () => {
      const { executions = [] } = await sfn.send(new ListExecutionsCommand({ stateMachineArn }));
      const newestFirst = executions.toSorted((a, b) => Number(b.startDate) - Number(a.startDate));
      return newestFirst.map((each) => ({
        name: String(each.name),
        arn: String(each.executionArn),
        status: String(each.status),
      }));
    },
    /** ARNs of the functions that an execution would call that begins now. */
    calledVersions: async (): Promise<readonly string[]> => {
      const { definition = '' } = await sfn.send(new DescribeStateMachineCommand({ stateMachineArn }));
      return [...new Set(definition.match(/arn:aws:lambda:[\w:-]+/g))].sort();
    },
    /** ARNs of the functions that an execution called. */
    called: async (executionArn: string) => {
      const { events = [] } = await sfn.send(
        new GetExecutionHistoryCommand({ executionArn, maxResults: 1000 }),
      );
      return events.flatMap(({ lambdaFunctionScheduledEventDetails: called }) => called?.resource ?? []);
    },
  };
}

interface Asking {
  readonly input?: string;
  readonly credentials?: Readonly<Record<string, string>>;
}

/** CDK says the state of the stack as its error, and which resources failed, and why, among its events. */
function sayingWhatFailed(error: Error & { readonly stdout?: string; readonly stderr?: string }): never {
  const lines = `${error.stdout}\n${error.stderr}`.split('\n').filter((line) => /_FAILED/.test(line));
  throw new Error([error.message, ...lines].join('\n'), { cause: error });
}

/** CDK uploads a template under the hash that it had at synth. A template that is there counts as the same. */
async function replaceTemplate(options: {
  readonly out: string;
  readonly name: string;
  readonly text: string;
}): Promise<void> {
  const { out, name, text } = options;
  const assets = join(out, `${name}.assets.json`);
  const { files } = JSON.parse(await readFile(assets, 'utf8'));
  const [before] = Object.entries<{ readonly source: { readonly path: string } }>(files).find(
    ([, { source }]) => source.path === `${name}.template.json`,
  ) ?? [''];
  const after = createHash('sha256').update(text).digest('hex');
  for (const file of [assets, join(out, 'manifest.json')]) {
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll(before, after));
  }
  await writeFile(join(out, `${name}.template.json`), text);
}
