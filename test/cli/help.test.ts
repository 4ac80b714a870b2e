import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { COMMANDS, EXAMPLES } from '#cli/commands.ts';
import { someOf } from '../support/some-of.ts';
import { allCommands, cliHere, cliProcess, pathOf, wordsOf } from './support.ts';

describe('the help of each command', () => {
  it('has two examples, each of which the program takes', async () => {
    const { leaves } = await allCommands([]);
    expect(Object.keys(EXAMPLES).sort()).toEqual(['signage-export', ...leaves.map(pathOf)].sort());
    for (const [path, lines] of Object.entries(EXAMPLES))
      for (const line of someOf(lines)) {
        const called: string[] = [];
        const { program } = await allCommands(called);
        await program.parseAsync(wordsOf(line), { from: 'user' });
        expect(called, line).toEqual([path === 'signage-export' ? line : path]);
      }
  });

  it('has its options, the global ones, its examples and its exit codes, for each of them', async () => {
    const { leaves } = await allCommands([]);
    for (const command of someOf(leaves)) {
      let help = '';
      command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
      const missing = command.options.filter(({ long }) => !help.includes(`  ${long} `));
      expect(missing, pathOf(command)).toEqual([]);
      expect(help).toMatch(
        /^Usage: signage-export [\s\S]*\nGlobal Options:[\s\S]*--config[\s\S]*\n\nExamples:\n.+\n.+\n\nExit codes: 0 .*2 wrong usage or config/m,
      );
    }
  });

  const PARTS = /Global Options:[\s\S]*--config[\s\S]*\nExamples:\n.*\n.*\n\nExit codes: 0 .*2 wrong usage/;

  it('begins its examples as the program itself was begun', () => {
    const { stdout, status } = cliProcess('run', '--help');
    expect(status).toBe(0);
    expect(stdout).toMatch(PARTS);
    expect(stdout).toContain(`-- ${EXAMPLES['run']?.[0]}\n`);
  });
});

it('what an operator does is done in the deployed stack by --deployed, wherever it works on a lake', async () => {
  const { leaves } = await allCommands([]);
  const local = leaves.filter((command) => !command.options.some(({ long }) => long === '--deployed'));
  expect(local.map(pathOf).sort()).toEqual(Object.keys(ELSEWHERE).sort());
});

/** The commands without --deployed, and why they need none. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  init: 'writes the config',
  schedule: 'is what EventBridge Scheduler does for a stack',
  check: 'smoke asks the sources from AWS',
  'config validate': 'reads the config alone',
  'config schema': 'reads nothing',
  query: 'asks Athena by --athena',
  simulate: 'is for trying',
  smoke: 'asks the deployed stack and nothing else',
  demo: 'is for trying',
  'secret put': 'puts into Secrets Manager and nowhere else',
  bindings: 'is for synth',
  completion: 'is for a shell',
};

describe('completion', () => {
  const following = async (...words: readonly string[]) =>
    (await cliHere('completion', 'bash', '--', 'signage-export', ...words)).stdout.split('\n').slice(0, -1);

  it('knows every command and its options', async () => {
    const { program } = await allCommands([]);
    const names = await following();
    expect(COMMANDS.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([]);
    for (const command of program.commands.filter(({ options }) => options.length > 0)) {
      const options = command.options.map(({ long }) => long ?? '');
      expect(await following(command.name())).toEqual(expect.arrayContaining(options));
    }
  });

  it.each([
    [['schema'], ['show', 'apply', 'new-mask-key', '--version', '--config']],
    [
      ['schema', 'apply'],
      ['--accept-loss', '--dry-run', '--yes', '--deployed'],
    ],
    [
      ['--lake', 'run', 'purge'],
      ['--source', '--record'],
    ],
    [['run', '--config'], []],
  ])('after %j: %j', async (words, choices) => {
    expect((await following(...words)).slice(0, choices.length || 1)).toEqual(choices);
  });

  it('is what bash shows, with files as values', async () => {
    const script = `
signage-export() { '${process.execPath}' cli/main.ts "$@"; }
${(await cliHere('completion', 'bash')).stdout}
for words in 'ru' 'run --config package.js'; do
  COMP_WORDS=(signage-export $words)
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  _signage_export
  printf '%s;' "\${COMPREPLY[@]}"
done`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: 'run;;', stderr: '' });
  });
});
