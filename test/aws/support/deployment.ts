import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DescribeExecutionCommand, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { interpret, type TaskHandler } from '#lib/runtime/state-machine.ts';
import { allStates, definitionText } from '../../../infra/definition.ts';
import { STAGES, type StageName } from '../../../infra/stages.ts';
import { type LambdaStandIn, startLambda } from './lambda.ts';
import type { MotoStandIn } from './moto.ts';
import { CREDENTIALS, REGION, type S3StandIn } from './s3.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Synth refuses sources on this machine for any other account than that of emulators, whose functions run here. */
const EMULATED = { CDK_DEFAULT_ACCOUNT: '000000000000', CDK_DEFAULT_REGION: REGION, AWS_REGION: REGION };

export interface Synthesized extends AsyncDisposable {
  readonly seconds: number;
  /** Folder with what is in the zip of a stage. */
  bundle(stage: StageName): string;
  memoryMiB(stage: StageName): number;
}

/** `npm run synth` with a config, into a folder of its own; without any network where the system lets us take it away. */
export async function synthesize(
  config: Readonly<Record<string, unknown>>,
  architecture: 'arm64' | 'x86_64',
): Promise<Synthesized> {
  const folder = await mkdtemp(join(tmpdir(), 'signage-export-synth-'));
  const file = join(folder, 'export.config.json');
  const out = join(folder, 'cdk.out');
  await writeFile(file, JSON.stringify(config));
  const started = performance.now();
  const synth = [
    'npm',
    'run',
    '-s',
    'synth',
    '--',
    '-o',
    out,
    '-c',
    `config=${file}`,
    '-c',
    `architecture=${architecture}`,
  ];
  const [command = '', ...args] = [...(await withoutNetwork()), ...synth];
  await run(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...EMULATED, CDK_DISABLE_CLI_TELEMETRY: '1' },
    maxBuffer: 64 * 1024 * 1024,
  });
  const seconds = (performance.now() - started) / 1000;
  const template = await readFile(join(out, `${String(config['name'])}.template.json`), 'utf8');
  const { Resources } = JSON.parse(template);
  const functions = Object.values(
    Resources as Record<
      string,
      { Type: string; Properties: Record<string, unknown>; Metadata?: Record<string, string> }
    >,
  ).filter(({ Type }) => Type === 'AWS::Lambda::Function');
  const functionOf = (stage: StageName) => {
    const name = `${String(config['name'])}-${stage}`;
    const found = functions.find(({ Properties }) => Properties['FunctionName'] === name);
    if (found === undefined) throw new Error(`The template has no function ${name}.`);
    return found;
  };
  return {
    seconds,
    bundle: (stage) => join(out, functionOf(stage).Metadata?.['aws:asset:path'] ?? 'none'),
    memoryMiB: (stage) => Number(functionOf(stage).Properties['MemorySize']),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A network of its own with nothing in it; not every system lets one have it. */
async function withoutNetwork(): Promise<readonly string[]> {
  const isolated = ['unshare', '--user', '--map-root-user', '--net'];
  const [command = '', ...args] = [...isolated, 'true'];
  return await run(command, args).then(
    () => isolated,
    () => [],
  );
}

export interface Deployment extends AsyncDisposable {
  /** A scheduled start and the execution that it begins; gives the execution's output, or throws its error. */
  runScheduled(time: string): Promise<unknown>;
  /** What the stages have logged. */
  logs(): string;
}

/** The functions of a synthesized stack, each as one instance, and the state machine that calls them. */
export async function deploy(options: {
  readonly synthesized: Synthesized;
  readonly name: string;
  readonly s3: S3StandIn;
  readonly moto: MotoStandIn;
}): Promise<Deployment> {
  const { synthesized, name, s3, moto } = options;
  const lake = `s3://${await s3.bucket(`${name}-lake`)}`;
  await moto.createDatabase(name);
  const stateMachineArn = await moto.createStateMachine(`${name}-export`);
  const lambdas = new Map<StageName, LambdaStandIn>();
  for (const stage of STAGES) {
    lambdas.set(
      stage.name,
      await startLambda({
        bundle: synthesized.bundle(stage.name),
        memoryMiB: synthesized.memoryMiB(stage.name),
        timeoutSeconds: stage.timeoutSeconds,
        environment: {
          ...CREDENTIALS,
          AWS_REGION: REGION,
          AWS_ENDPOINT_URL: moto.url,
          AWS_ENDPOINT_URL_S3: s3.url,
          LAKE: lake,
          STACK: name,
          ...(stage.hasCatalog && { DATABASE: name }),
          ...(stage.name === 'start' && { STATE_MACHINE_ARN: stateMachineArn }),
        },
      }),
    );
  }
  const invoke = async (stage: StageName, event: unknown): Promise<unknown> =>
    lambdas.get(stage)?.invoke(event);
  const logs = () => [...lambdas.values()].map(({ service }) => service.said()).join('\n');
  const execute = async (execution: string): Promise<unknown> => {
    const { input = '{}' } = await moto.sfn.send(new DescribeExecutionCommand({ executionArn: execution }));
    try {
      return await interpret(
        JSON.parse(input),
        handlersOf((stage) => (payload) => invoke(stage, payload)),
      );
    } catch (error) {
      process.stderr.write(`${logs()}\n`);
      throw error;
    } finally {
      await moto.sfn.send(new StopExecutionCommand({ executionArn: execution }));
    }
  };
  return {
    runScheduled: async (scheduledTime) => {
      const started = (await invoke('start', { scheduledTime })) as { kind: string; execution?: string };
      if (started.kind !== 'started' || started.execution === undefined) return started;
      return await execute(started.execution);
    },
    logs,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...lambdas.values()].map((each) => each[Symbol.asyncDispose]()));
    },
  };
}

/** A handler for every task of the definition, by the function that the file names. */
function handlersOf(handler: (stage: StageName) => TaskHandler): Readonly<Record<string, TaskHandler>> {
  const tasks = allStates(JSON.parse(definitionText())).flatMap(({ name, state }) => {
    const [, stage] = /^\$\{(\w+)FunctionArn\}$/.exec(String(state['Resource'])) ?? [];
    return stage === undefined ? [] : [[name, handler(stage.toLowerCase() as StageName)] as const];
  });
  return Object.fromEntries(tasks);
}
