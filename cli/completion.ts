import type { Command } from 'commander';
import { UsageError } from '#lib/errors.ts';
import { didYouMean } from '#lib/text.ts';
import type { CommandEntry } from './command-entry.ts';
import { type Completed, completionScript, SHELLS } from './completion-script.ts';
import { pathOf } from './help-end.ts';
import { put } from './say.ts';

/** `completion SHELL`: the script that makes a shell complete these commands and their options. */
export function addCompletionOf(entries: readonly CommandEntry[]): (command: Command) => void {
  return (command) => addCompletion(command, entries);
}

function addCompletion(command: Command, entries: readonly CommandEntry[]): void {
  command
    .argument('<shell>', SHELLS.join(', '))
    .addHelpText(
      'after',
      [
        '',
        'Put it where the shell reads it:',
        '  bash        signage-export completion bash > ~/.local/share/bash-completion/completions/signage-export',
        '  zsh         signage-export completion zsh > ~/.zfunc/_signage-export',
        '  fish        signage-export completion fish > ~/.config/fish/completions/signage-export.fish',
      ].join('\n'),
    )
    .action(async (shell: string) => {
      const known = SHELLS.find((each) => each === shell);
      if (known !== undefined) return put(completionScript(known, await completed(command.parent, entries)));
      const cure = didYouMean(shell, { known: SHELLS, otherwise: `write one of ${SHELLS.join(', ')}` });
      throw new UsageError(`No completion is known for ${JSON.stringify(shell)}: ${cure}`);
    });
}

/** All commands with their options; those of the program come first. */
async function completed(
  program: Command | null,
  entries: readonly CommandEntry[],
): Promise<readonly Completed[]> {
  if (program === null) return [];
  const found: Completed[] = [];
  const globals = optionsOf(program);
  for (const { name, load } of entries) {
    const command = program.commands.find((each) => each.name() === name);
    // Its own command has its options already.
    if (command !== undefined && name !== 'completion') (await load())(command);
  }
  const add = (command: Command): void => {
    found.push({
      path: command === program ? '' : pathOf(command),
      words: command.commands.map((each) => ({ word: each.name(), says: each.description() })),
      options: command === program ? globals : [...optionsOf(command), ...globals],
    });
    for (const each of command.commands) add(each);
  };
  add(program);
  return found;
}

function optionsOf(command: Command): Completed['options'] {
  return command.options.map((option) => ({
    word: option.long ?? '',
    says: option.description,
    takesValue: option.required || option.optional,
  }));
}
