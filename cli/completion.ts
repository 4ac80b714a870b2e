import type { Command, Option } from 'commander';
import { UsageError } from '#lib/errors.ts';
import { didYouMean } from '#lib/text.ts';
import type { CommandEntry } from './command-entry.ts';
import { put } from './say.ts';

/** How each shell asks `completion SHELL -- WORDS` what may follow the words before the cursor. */
const SCRIPTS = {
  bash: `# bash completion for signage-export
_signage_export() {
  local IFS=$'\\n' current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($(compgen -W "$(signage-export completion bash -- "\${COMP_WORDS[@]:0:COMP_CWORD}" 2>/dev/null)" -- "$current"))
}
complete -o default -F _signage_export signage-export
`,
  zsh: `#compdef signage-export
_signage_export() {
  local -a choices
  choices=(\${(f)"$(signage-export completion zsh -- "\${(@)words[1,CURRENT-1]}" 2>/dev/null)"})
  if (( $#choices )); then _describe 'signage-export' choices; else _files; fi
}
compdef _signage_export signage-export
`,
  fish: `# fish completion for signage-export
complete -c signage-export -a '(signage-export completion fish -- (commandline -opc) 2>/dev/null)'
`,
};

type Shell = keyof typeof SCRIPTS;
const SHELLS = Object.keys(SCRIPTS) as readonly Shell[];

/** What divides a word from what it does, where the shell shows that. */
const DIVIDERS: Readonly<Record<Shell, string | undefined>> = { bash: undefined, zsh: ':', fish: '\t' };

/** `completion SHELL`: the script that makes a shell complete these commands, their options, and files as values. */
export function addCompletionOf(entries: readonly CommandEntry[]): (command: Command) => void {
  return (command) => {
    command
      .argument('<shell>', SHELLS.join(', '))
      .argument('[words...]', 'the words before the cursor: then what may follow them is written')
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
      .action(async (given: string, [program, ...words]: readonly string[]) => {
        const shell = shellNamed(given);
        if (program === undefined || command.parent === null) return put(SCRIPTS[shell]);
        const divider = DIVIDERS[shell];
        const lines = (await choicesAfter(words, command.parent, entries)).map(([word, says]) =>
          divider === undefined ? word : `${word}${divider}${says}`,
        );
        put(lines.map((line) => `${line}\n`).join(''));
      });
  };
}

function shellNamed(given: string): Shell {
  const known = SHELLS.find((each) => each === given);
  if (known !== undefined) return known;
  const cure = didYouMean(given, { known: SHELLS, otherwise: `write one of ${SHELLS.join(', ')}` });
  throw new UsageError(`No completion is known for ${JSON.stringify(given)}: ${cure}`);
}

/** What may follow the words, each with what it does: commands and options; nothing where an option wants a value. */
async function choicesAfter(
  words: readonly string[],
  program: Command,
  entries: readonly CommandEntry[],
): Promise<readonly (readonly [word: string, says: string])[]> {
  let command = program;
  let wanting: Option | undefined;
  for (const word of words) {
    const option = [...command.options, ...program.options].find(({ long }) => long === word);
    const inner = command.commands.find((each) => each.name() === word);
    if (wanting === undefined && inner !== undefined) {
      // Its own command has its options already.
      if (command === program && word !== 'completion')
        (await entries.find(({ name }) => name === word)?.load())?.(inner);
      command = inner;
    }
    wanting = wanting === undefined && option?.required === true ? option : undefined;
  }
  if (wanting !== undefined) return [];
  return [
    ...command.commands.map((each) => [each.name(), each.description()] as const),
    ...[...new Set([...command.options, ...program.options])].map(
      ({ long, description }) => [long ?? '', description] as const,
    ),
  ];
}
