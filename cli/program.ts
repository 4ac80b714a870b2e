import { Command, Option } from 'commander';
import { COLOR_CHOICES, chooseColor } from './terminal.ts';

/** The program with the options that every command takes, and without its commands. */
export function createProgram(version: string): Command {
  return new Command('signage-export')
    .version(version)
    .description('Copies digital-signage and backup-storage APIs into Parquet that answers SQL.')
    .option('--config <file>', 'the configuration', 'export.config.json')
    .option('--lake <place>', 'a folder, or s3://bucket/prefix', './lake')
    .option(
      '--secrets <file>',
      'a JSON object from secret name to value; without it AWS Secrets Manager is asked',
    )
    .option('--json', 'write one JSON document on stdout and nothing else')
    .addOption(new Option('--color <when>', 'colours for states').choices(COLOR_CHOICES).default('auto'))
    .on('option:color', (when) => chooseColor(when))
    .configureHelp({ showGlobalOptions: true, subcommandTerm: (command) => command.name() })
    .exitOverride()
    .showHelpAfterError('(--help lists the commands and their options)');
}
