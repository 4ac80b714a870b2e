import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort, startService } from '../../support/service.ts';
import type { EmulatorPrograms } from './install-emulator.ts';

const run = promisify(execFile);
const PLUGIN = fileURLToPath(new URL('../emulator/plugin', import.meta.url));

/** The account and the region of the emulator; whoever signs with these keys is the account's administrator. */
export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';
const ADMINISTRATOR = {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: REGION,
  AWS_DEFAULT_REGION: REGION,
} as const;

export interface EmulatorPlace {
  readonly url: string;
  /** The Python that has AWS's command line too. */
  readonly python: string;
  /** Where it keeps what it has, and what it decided. */
  readonly folder: string;
}

export type Emulator = ReturnType<typeof emulatorAt>;

/** A call by a role of a stack. Rights that it needs, and those that it was refused, are each [action, resource]. */
export interface Decision {
  readonly role: string;
  readonly call: string;
  readonly asked: readonly (readonly [string, string])[];
  readonly refused: readonly (readonly [string, string])[];
}

/** AWS by LocalStack and the plugin next to it, as processes of this machine. It ends with the scope. */
export async function startEmulator({
  python,
  ric,
}: EmulatorPrograms): Promise<EmulatorPlace & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'signage-export-emulator-'));
  await mkdir(join(folder, 'volume'));
  await writeFile(decisionsFile(folder), '');
  const url = `http://127.0.0.1:${await freePort()}`;
  const service = await startService({
    command: python,
    args: ['-m', 'localstack.runtime.main'],
    env: {
      ...ADMINISTRATOR,
      TMPDIR: folder,
      FILESYSTEM_ROOT: join(folder, 'volume'),
      PYTHONPATH: PLUGIN,
      PYTHONDONTWRITEBYTECODE: '1',
      GATEWAY_LISTEN: new URL(url).host,
      GATEWAY_SERVER: 'twisted',
      DNS_ADDRESS: '0',
      DISABLE_EVENTS: '1',
      SKIP_SSL_CERT_DOWNLOAD: '1',
      OVERRIDE_IN_DOCKER: '0',
      CFN_VERBOSE_ERRORS: '1',
      LAMBDA_RETRY_BASE_DELAY: '1',
      LAMBDA_RUNTIME_EXECUTOR: 'process',
      LAMBDA_PROCESS_NODE: process.execPath,
      LAMBDA_PROCESS_RIC: ric,
      EMULATOR_IAM: 'enforce',
      EMULATOR_IAM_LOG: decisionsFile(folder),
      EMULATOR_FAULTS: faultsFile(folder),
      EMULATOR_RETRY_PACE: '0.2',
    },
    isReady: async () => (await fetch(`${url}/_localstack/health`)).ok,
    patienceMs: 60_000,
  });
  return {
    ...{ url, python, folder },
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The emulator that runs there. */
export function emulatorAt({ url, python, folder }: EmulatorPlace) {
  /** What a process needs in its environment to take it for AWS. */
  const environment = { ...ADMINISTRATOR, AWS_ENDPOINT_URL: url, CDK_DISABLE_CLI_TELEMETRY: '1' };
  /** What AWS's own command line answers, as an administrator's. */
  const aws: Aws = async (...words) => {
    const env = { ...process.env, ...environment, AWS_DEFAULT_OUTPUT: 'json' };
    const { stdout } = await run(python, ['-m', 'awscli', '--endpoint-url', url, ...words], { env });
    return stdout === '' ? {} : JSON.parse(stdout);
  };
  const roles = new Map<string, ReturnType<typeof roleOf>>();
  return {
    ...{ url, python, folder, environment, aws },
    /** Takes a role of that name, with policies by their ARNs. */
    actAs: (name: string, policies: readonly string[]) => {
      const acting = roles.get(name) ?? roleOf(aws, name, policies);
      roles.set(name, acting);
      return acting;
    },
    /** Takes their policies from all roles that were taken: AWS deletes no policy that a role has. */
    dismissAll: async () => {
      for (const acting of roles.values()) await (await acting).dismiss();
    },
    /**
     * What the state machine's next calls of a function meet: a code of Lambda's API, pass, or
     * kill, timeout or deadline:SECONDS; with `@TEXT` behind it, the next call whose payload has that text.
     */
    fault: (faults: Readonly<Record<string, readonly string[]>>) =>
      writeFile(faultsFile(folder), JSON.stringify(faults)),
    /** The faults that nothing has met yet. */
    faultsLeft: async () => {
      const text = await readFile(faultsFile(folder), 'utf8');
      const faults: Readonly<Record<string, string[]>> = JSON.parse(text);
      return Object.entries(faults).flatMap(([name, codes]) => codes.map((code) => `${name} ${code}`));
    },
    /** What roles of stacks have asked for so far, in order. */
    decisions: async (): Promise<readonly Decision[]> => {
      const lines = (await readFile(decisionsFile(folder), 'utf8')).split('\n');
      return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: each call has an answer of its own.
type Aws = (...words: readonly string[]) => Promise<any>;

/** Whoever acts by the rights of a role. */
async function roleOf(aws: Aws, name: string, policies: readonly string[]) {
  const anybody = { Effect: 'Allow', Principal: { AWS: ACCOUNT }, Action: 'sts:AssumeRole' };
  const trust = JSON.stringify({ Version: '2012-10-17', Statement: [anybody] });
  const of = ['--role-name', name];
  const { Role } = await aws('iam', 'create-role', ...of, '--assume-role-policy-document', trust);
  for (const arn of policies) await aws('iam', 'attach-role-policy', ...of, '--policy-arn', arn);
  const assume = ['sts', 'assume-role', '--role-arn', Role.Arn, '--role-session-name', name];
  const { Credentials } = await aws(...assume);
  const credentials = {
    ...{ AWS_ACCESS_KEY_ID: Credentials.AccessKeyId, AWS_SESSION_TOKEN: Credentials.SessionToken },
    AWS_SECRET_ACCESS_KEY: Credentials.SecretAccessKey,
  };
  return {
    credentials,
    /** Takes its policies from the role. */
    dismiss: async () => {
      for (const arn of policies) await aws('iam', 'detach-role-policy', ...of, '--policy-arn', arn);
    },
  };
}

const decisionsFile = (folder: string) => join(folder, 'decisions.jsonl');
const faultsFile = (folder: string) => join(folder, 'faults.json');
