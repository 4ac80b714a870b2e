import type { Command } from 'commander';
import * as z from 'zod';
import { KINDS } from '#lib/sources/kinds.ts';
import { checkConfig, settle } from './check-config.ts';
import { statusOf } from './check-sources.ts';
import { EXIT } from './exit.ts';
import { answersOf, REQUIRED } from './init-answers.ts';
import { refuseFilesThere, writeFirstConfig } from './init-files.ts';
import { optionsOf } from './options.ts';
import { printListings, printSettled } from './print-check.ts';
import { nextCommand } from './program-name.ts';
import { note, say } from './say.ts';

/** `init`: writes the first config and its secrets, checks them, and says what comes next. */
export function addInit(command: Command): void {
  for (const { option, due } of REQUIRED) command.option(`${option} <value>`, due);
  command
    .option(
      '--kind <kind>',
      `${KINDS.map(({ kind }) => kind).join(' or ')}; a terminal is asked for what is left out`,
    )
    .option('--url <address>', 'the address of the API, such as https://signage.example.com:8443')
    .option('--name <name>', 'what the source is called in every table; the default is its kind')
    .option(
      '--key <place>',
      'where its key is: env:NAME, file:PATH, exec:COMMAND, or - for stdin; never the key itself',
    )
    .option('--no-check', 'only write the files')
    .action(async () => {
      const options = optionsOf(command, {
        kind: z.string().optional(),
        url: z.string().optional(),
        name: z.string().optional(),
        key: z.string().optional(),
        check: z.boolean(),
      });
      // Before the first question, so that nobody answers them all and is then refused.
      refuseFilesThere(options);
      const settings = Object.fromEntries(
        REQUIRED.map(({ name }) => [name, z.string().optional().parse(command.opts()[name])]),
      );
      const answers = await answersOf({ ...options, settings });
      const files = await writeFirstConfig(answers, options);
      if (!options.json) say(`Wrote ${files.written.join(', ')}.`);
      if (!options.check) return sayNext(files, options);
      if (!options.json) note(`\nAsking ${answers.url} …`);
      const own = { ...options, secrets: files.secrets, write: true, roles: false };
      const checked = await checkConfig(own).catch((error) => {
        // The files are written: what is missing is mended, and then this goes on.
        sayNext(files, options);
        throw error;
      });
      const listings = checked.check.settled;
      if (!options.json) printListings({ ...checked, listings }, own);
      const { changes, open } = await settle(checked, own);
      process.exitCode = EXIT[statusOf(listings)];
      if (options.json) say(JSON.stringify({ written: files.written, changes, listings }));
      else printSettled(checked, { ...own, changes, open });
    });
}

function sayNext(
  { secrets }: { readonly secrets: string | undefined },
  { config, json }: { readonly config: string; readonly json: boolean },
): void {
  if (!json) say(`\nNext:\n  ${nextCommand(['check'], { config, secrets })}`);
}
