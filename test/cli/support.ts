import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { vi } from 'vitest';
import { addCheck } from '#cli/check.ts';

/** Runs one command in this process as the command line would, errors thrown. */
export async function cli(add: (command: Command) => void, ...args: readonly string[]): Promise<void> {
  const program = new Command()
    .option('--config <file>', '', 'export.config.json')
    .option('--lake <place>', '', './lake')
    .option('--secrets <file>')
    .option('--json')
    .exitOverride();
  add(program.command(args[0] ?? ''));
  await program.parseAsync(args, { from: 'user' });
}

/** Runs a command line in a process of its own. */
export function cliProcess(...args: readonly string[]) {
  return cliProcessOf([], ...args);
}

/** The same, by a Node with options of its own. */
export function cliProcessOf(node: readonly string[], ...args: readonly string[]) {
  return ended([...node, 'cli/main.ts', ...args], process.env);
}

/** The same as it is installed: with what comes before the command line is read, in an environment with those variables. */
export function programProcess(variables: NodeJS.ProcessEnv, ...args: readonly string[]) {
  return ended(['cli/bin.ts', ...args], { ...process.env, ...variables });
}

/** A process that hangs has no status. */
const MOST_MS = 120_000;

function ended(args: readonly string[], env: NodeJS.ProcessEnv) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: MOST_MS,
    env,
  });
  return { status, stdout, stderr };
}

/** Whether there is a program that gives a command a terminal of its own. */
export const hasTerminal = process.platform === 'linux' && existsSync('/usr/bin/script');

/** Runs a command line on a terminal of that width, with keys that are typed; what it says holds both streams. */
export function onTerminal(
  words: readonly string[],
  { columns = 80, input = '', environment = {} }: TerminalOptions = {},
) {
  const quoted = [process.execPath, 'cli/main.ts', ...words].map(
    (word) => `'${word.replaceAll("'", `'\\''`)}'`,
  );
  const command = `stty cols ${columns} rows 40; exec ${quoted.join(' ')}`;
  // What the caller's environment says of colours, pagers and CI is no part of the case.
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, TERM: 'xterm', PAGER: '', ...environment };
  const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
    encoding: 'utf8',
    timeout: MOST_MS,
    input,
    env,
  });
  return { status, said: stdout.replaceAll('\r\n', '\n') };
}

interface TerminalOptions {
  readonly columns?: number;
  readonly input?: string;
  readonly environment?: NodeJS.ProcessEnv;
}

/** What a command of this process writes to stdout; the exit code is left alone. */
export async function saidBy(add: (command: Command) => void, ...args: readonly string[]): Promise<string> {
  const said: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said.push(String(text));
    return true;
  });
  try {
    await cli(add, ...args);
  } finally {
    spy.mockRestore();
    process.exitCode = undefined;
  }
  return said.join('');
}

/** What `check --write` says, and with `--json` its document; the exit code is left alone. */
export async function checkWrite(file: string, secrets: object, ...more: readonly string[]): Promise<string> {
  const secretsFile = `${file}.secrets`;
  await writeFile(secretsFile, JSON.stringify(secrets), { mode: 0o600 });
  return await saidBy(addCheck, 'check', '--write', '--config', file, '--secrets', secretsFile, ...more);
}
