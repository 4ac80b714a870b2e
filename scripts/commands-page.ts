import type { Command } from 'commander';
import { addCommand } from '#cli/command-entry.ts';
import { COMMANDS } from '#cli/commands.ts';
import { createProgram } from '#cli/program.ts';

/** The content of docs/commands.md: what each command says with `--help`, as the program says it. */
export async function commandsPage(): Promise<string> {
  const sections: string[] = [];
  const whole = createProgram('', true);
  for (const entry of COMMANDS) addCommand(whole, entry);
  for (const entry of COMMANDS) {
    const { name, load } = entry;
    const program = createProgram('');
    const command = addCommand(program, entry);
    (await load())(command);
    sections.push(section(`\`${name}\``, helpOf(command)));
    for (const inner of command.commands)
      sections.push(section(`\`${name} ${inner.name()}\``, helpOf(inner)));
  }
  return [
    '# Commands',
    '',
    'What `signage-export COMMAND --help` says. `npm run docs` writes this page from the program.',
    '',
    block(helpOf(whole)),
    '',
    'Exit codes: 0 complete, 3 partial, 1 failed, 2 wrong usage or config, 130 interrupted.',
    '',
    ...sections,
  ].join('\n');
}

const section = (title: string, help: string) => `## ${title}\n\n${block(help)}\n`;
const block = (text: string) => `\`\`\`text\n${text.trimEnd()}\n\`\`\``;

/** The help of a command as it is installed, 80 columns wide; the options that all have stand once. */
function helpOf(command: Command): string {
  let said = '';
  command.configureOutput({
    writeOut: (text) => {
      said += text;
    },
    getOutHelpWidth: () => 80,
    getOutHasColors: () => false,
  });
  command.configureHelp({ ...command.configureHelp(), showGlobalOptions: command.parent === null });
  command.outputHelp();
  return said.replaceAll('npm run -s export --', 'signage-export').replaceAll(/ +$/gm, '');
}
