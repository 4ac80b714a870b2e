import { Command, Option } from 'commander';
import { printable } from '#lib/text.ts';
import { helpEnd, visibleCommands } from './help-end.ts';
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
