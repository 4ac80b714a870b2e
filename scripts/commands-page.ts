import type { Command } from 'commander';
import { addCommand, COMMANDS, type CommandEntry, EXAMPLES } from '#cli/commands.ts';
import { createProgram } from '#cli/program.ts';
import { beginningOf } from './page-parts.ts';

/** The page below docs/ that has the commands of each group. */
const PAGE_OF = {
  daily: 'use/commands.md',
  tools: 'use/commands.md',
  history: 'run/commands.md',
  aws: 'run/commands.md',
} as const satisfies Record<CommandEntry['group'], string>;
export const COMMANDS_PAGES = ['use/commands.md', 'run/commands.md'] as const;
const COMMON_EXIT_CODES = '0 done, 1 failed, 2 wrong usage or config';

/** A page of commands: what each says with `--help`. What is the same for all is in the first block of its beginning. */
export async function commandsPage(name: (typeof COMMANDS_PAGES)[number], page: string): Promise<string> {
  const sections: string[] = [];
  for (const entry of COMMANDS.filter(({ group }) => PAGE_OF[group] === name)) {
    const command = addCommand(createProgram(''), entry);
    (await entry.load())(command);
    const inner = command.commands.map((each) => section(`${entry.name} ${each.name()}`, each));
    sections.push(...(inner.length > 0 ? inner : [section(entry.name, command)]));
  }
  const common = block(optionsOf(createProgram('', true)));
  return [beginningOf(page).replace(/```text[^`]*```/, () => common), ...sections].join('\n');
}

function section(path: string, command: Command): string {
  const examples = (EXAMPLES[path] ?? [])
    .filter((line) => line !== path)
    .map((line) => `signage-export ${line}`);
  const help: string[] = [];
  command.configureOutput({ writeOut: (text) => help.push(text) }).outputHelp();
  const codes = /Exit codes: (.*), 130/.exec(help.join(''))?.[1];
  const ends = codes === COMMON_EXIT_CODES ? [] : [`  Exit codes: ${codes}`];
  const says = command.description();
  return `## \`${path}\`\n${says.charAt(0).toUpperCase()}${says.slice(1)}.\n${block([...examples, ...optionsOf(command), ...ends])}\n`;
}

/** A line for each argument and option. */
function optionsOf(command: Command): readonly string[] {
  const help = command.createHelp();
  const lines = [
    ...help
      .visibleArguments(command)
      .map((each) => [help.argumentTerm(each), help.argumentDescription(each)]),
    ...help
      .visibleOptions(command)
      .filter(({ long }) => long !== '--help')
      .map((each) => [help.optionTerm(each), help.optionDescription(each).replace(' (default: [])', '')]),
  ];
  const width = Math.max(...lines.map(([term = '']) => term.length));
  return lines.map(([term = '', what = '']) => `  ${term.padEnd(width)}  ${what}`);
}

const block = (lines: readonly string[]) => ['```text', ...lines, '```'].join('\n');
