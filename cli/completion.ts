import type { Command } from 'commander';
import { UsageError } from '#lib/errors.ts';
import { didYouMean } from '#lib/text.ts';
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
const DIVIDERS: Readonly<Partial<Record<Shell, string>>> = { zsh: ':', fish: '\t' };

/** A command whose options come when it is loaded. */
interface Entry {
  readonly name: string;
  readonly load: () => Promise<(command: Command) => void>;
}

export function addCompletionOf(entries: readonly Entry[]): (command: Command) => void {
  return (command) => {
    command
      .argument('<shell>', SHELLS.join(', '))
      .argument('[words...]', 'the words before the cursor: then what may follow them is written')
      .addHelpText('after', PLACES)
      .action(async (given: string, [program, ...words]: readonly string[]) => {
        const shell = SHELLS.find((each) => each === given);
        if (shell === undefined) {
          const cure = didYouMean(given, { known: SHELLS, otherwise: `write one of ${SHELLS.join(', ')}` });
          throw new UsageError(`No completion is known for ${JSON.stringify(given)}: ${cure}`);
        }
        if (program === undefined || command.parent === null) return put(SCRIPTS[shell]);
        const divider = DIVIDERS[shell];
        for (const { word, says } of await choicesAfter(words, command.parent, entries))
          put(divider === undefined ? `${word}\n` : `${word}${divider}${says}\n`);
      });
  };
}

const PLACES = `
Put it where the shell reads it:
  bash        signage-export completion bash > ~/.local/share/bash-completion/completions/signage-export
  zsh         signage-export completion zsh > ~/.zfunc/_signage-export
  fish        signage-export completion fish > ~/.config/fish/completions/signage-export.fish`;

/** What may follow the words, each with what it does: commands and options; nothing where an option wants a value. */
async function choicesAfter(words: readonly string[], program: Command, entries: readonly Entry[]) {
  let command = program;
  let isValue = false;
  for (const word of words) {
    const option = [...command.options, ...program.options].find(({ long }) => long === word);
    const inner = isValue ? undefined : command.commands.find((each) => each.name() === word);
    isValue = !isValue && option?.required === true;
    if (inner === undefined) continue;
    // Its own command has its options already.
    if (command === program && word !== 'completion')
      (await entries.find(({ name }) => name === word)?.load())?.(inner);
    command = inner;
  }
  if (isValue) return [];
  const options = new Set([...command.options, ...program.options]);
  return [
    ...command.commands.map((each) => ({ word: each.name(), says: each.description() })),
    ...[...options].map(({ long, description }) => ({ word: long ?? '', says: description })),
  ];
}
