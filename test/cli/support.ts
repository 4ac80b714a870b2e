import { spawnSync } from 'node:child_process';
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
  const { status, stdout, stderr } = spawnSync(process.execPath, [...node, 'cli/main.ts', ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** What `check --write` says, and with `--json` its document; the exit code is left alone. */
export async function checkWrite(file: string, secrets: object, ...more: readonly string[]): Promise<string> {
  const secretsFile = `${file}.secrets`;
  await writeFile(secretsFile, JSON.stringify(secrets), { mode: 0o600 });
  const said: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said.push(String(text));
    return true;
  });
  try {
    await cli(addCheck, 'check', '--write', '--config', file, '--secrets', secretsFile, ...more);
  } finally {
    spy.mockRestore();
    process.exitCode = undefined;
  }
  return said.join('');
}
