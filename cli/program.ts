import { Command, Option } from 'commander';
import { printable } from '#lib/text.ts';
import { EXAMPLES, GROUPS } from './commands.ts';
import { PROGRAM } from './program-name.ts';
import { chooseProgress } from './progress.ts';
import { COLOR_CHOICES, chooseColor } from './terminal.ts';

/** The program with the options of every command, and without its commands. `isWhole`: its help names all of them. */
export function createProgram(version: string, isWhole = false): Command {
  return (
    new Command('signage-export')
      .version(version)
      .description('Copies digital-signage and backup-storage APIs into Parquet that answers SQL.')
      .option('--config <file>', 'the configuration', 'export.config.json')
      .option('--lake <place>', 'a folder, or s3://bucket/prefix', './lake')
      .option(
        '--secrets <file>',
        'a JSON object from secret name to key; without it secrets.json next to the config, else AWS Secrets Manager',
      )
      .option('--json', 'write one JSON document on stdout and nothing else')
      .addOption(new Option('--quiet', 'show warnings and errors, but no progress').conflicts('verbose'))
      .on('option:quiet', () => chooseProgress('none'))
      .option('--verbose', 'a line for each listing, and each second, in place of the progress bar')
      .on('option:verbose', () => chooseProgress('lines'))
      .option('--log-file <file>', 'add the messages to that file, a JSON object a line')
      .addOption(new Option('--color <when>', 'colours for states').choices(COLOR_CHOICES).default('auto'))
      .on('option:color', (when) => chooseColor(when))
      .configureHelp({
        showGlobalOptions: true,
        subcommandTerm: (command) => command.name(),
        visibleCommands: (command) => visibleCommands(command, isWhole),
      })
      .addHelpText('afterAll', ({ command }) => helpEnd(command, isWhole))
      // It repeats words of the command line, perhaps from another program's output.
      .configureOutput({ writeErr: (text) => process.stderr.write(printable(text)) })
      .exitOverride()
      .showHelpAfterError('(--help lists the commands and their options)')
  );
}

/** What the exit codes of a command mean, if they are not the usual ones. */
const ENDS: Readonly<Record<string, string>> = {
  run: '0 complete, 3 partial, 1 failed',
  repair: '0 complete, 3 partial, 1 failed',
  schedule: '0 ended by SIGTERM, 1 failed',
  simulate: '0 ended by SIGTERM, 1 failed',
  check: '0 every listing answers, 3 a listing may be incomplete, 1 a listing does not answer',
  init: '0 every listing answers, 3 a listing may be incomplete, 1 a listing does not answer',
  smoke: '0 all works, 1 something does not',
};

/** The commands in the help of the program: at first those of every day. */
function visibleCommands(command: Command, isWhole: boolean): Command[] {
  return command.commands.filter(
    (each) => isWhole || command.parent !== null || each.helpGroup() === GROUPS.daily,
  );
}

/** The end of a command's help: how to see all commands, two examples and the exit codes. */
function helpEnd(command: Command, isWhole: boolean): string {
  const { parent } = command;
  const path = parent?.parent ? `${parent.name()} ${command.name()}` : command.name();
  const examples = EXAMPLES[path]?.map((line) => `  ${PROGRAM} ${line}`) ?? [];
  const others = command.commands.length - visibleCommands(command, isWhole).length;
  return [
    '',
    ...(others === 0
      ? []
      : [`${PROGRAM} --help all shows ${others} more: history and recovery, AWS, tools.`, '']),
    ...(examples.length === 0 ? [] : ['Examples:', ...examples, '']),
    `Exit codes: ${ENDS[path] ?? '0 done, 1 failed'}, 2 wrong usage or config, 130 interrupted`,
  ].join('\n');
}
