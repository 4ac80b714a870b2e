import { spawnSync } from 'node:child_process';
import { Command } from 'commander';

/** Runs one command in this process as the command line would, errors thrown. */
export async function cli(add: (program: Command) => void, ...args: readonly string[]): Promise<void> {
  const program = new Command()
    .option('--config <file>', '', 'export.config.json')
    .option('--lake <place>', '', './lake')
    .option('--secrets <file>')
    .option('--json')
    .exitOverride();
  add(program);
  await program.parseAsync(args, { from: 'user' });
}

/** Runs a command line in a process of its own. */
export function cliProcess(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['cli/main.ts', ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}
