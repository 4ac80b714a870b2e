import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tool, venv } from '../../support/tool-cache.ts';

const run = promisify(execFile);

const VERSITYGW = '1.8.0';
const MOTO = '5.2.5';
export const TRINO = '476';
const CFN_LINT = '1.58.0';
const AWS_CLI = '1.46.3';

/** The S3 stand-in's program. */
export async function versitygw(): Promise<string> {
  const folder = await tool(`versitygw-${VERSITYGW}`, async (into) => {
    const module = `github.com/versity/versitygw/cmd/versitygw@v${VERSITYGW}`;
    await run('go', ['install', module], { env: { ...process.env, GOBIN: into } });
  });
  return join(folder, 'versitygw');
}

/** A program of a package of Python. */
async function ofPython(name: string, version: string, program: string, extras = ''): Promise<string> {
  const folder = await tool(`${name}-${version}`, (into) => venv(into, [`${name}${extras}==${version}`]));
  return join(folder, 'bin', program);
}

/** The stand-in for Secrets Manager and Glue. */
export const moto = () => ofPython('moto', MOTO, 'moto_server', '[glue,secretsmanager,server]');
/** The linter of CloudFormation templates. */
export const cfnLint = () => ofPython('cfn-lint', CFN_LINT, 'cfn-lint');
/** AWS's command line, as operators type it. */
export const awsCli = () => ofPython('awscli', AWS_CLI, 'aws');

/** The Athena stand-in: Trino's server with its hive plugin alone, and a JDK that it runs on. */
export async function trino() {
  const folder = await tool(`trino-${TRINO}`, async (into) => {
    const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
    for (const artifact of [`trino-server-core:${TRINO}:tar.gz`, `trino-hive:${TRINO}:zip`]) {
      const options = [`-Dartifact=io.trino:${artifact}`, `-DoutputDirectory=${into}`];
      await run('mvn', ['-q', '-B', goal, ...options], { maxBuffer: 64 * 1024 * 1024 });
    }
    await run('tar', ['-xzf', join(into, `trino-server-core-${TRINO}.tar.gz`), '-C', into]);
    await run('unzip', ['-q', join(into, `trino-hive-${TRINO}.zip`), '-d', into]);
    await mkdir(join(into, 'plugin'));
    await rename(join(into, `trino-hive-${TRINO}`), join(into, 'plugin', 'hive'));
    await rm(join(into, `trino-server-core-${TRINO}.tar.gz`));
    await rm(join(into, `trino-hive-${TRINO}.zip`));
  });
  return {
    java: await java(),
    lib: join(folder, `trino-server-core-${TRINO}`, 'lib'),
    plugins: join(folder, 'plugin'),
    folder,
  };
}

/** A Java of at least 22, which Trino 476 needs: where JAVA_HOME points, or among the JDKs of the machine. */
async function java(): Promise<string> {
  const homes = [process.env['TRINO_JAVA_HOME'], process.env['JAVA_HOME'], ...(await jdks())];
  for (const home of homes) {
    if (home === undefined) continue;
    const program = join(home, 'bin', 'java');
    if (!existsSync(program)) continue;
    const { stderr } = await run(program, ['-version']);
    const [, major = '0'] = /version "(\d+)/.exec(stderr) ?? [];
    if (Number(major) >= 22) return program;
  }
  throw new Error('Trino needs Java 22 or newer: set TRINO_JAVA_HOME to a JDK.');
}

async function jdks(): Promise<readonly string[]> {
  const root = '/usr/lib/jvm';
  return existsSync(root) ? (await readdir(root)).map((name) => join(root, name)) : [];
}
