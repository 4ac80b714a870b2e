import { Argument, type Command } from 'commander';

/** The shell asks `completion bash -- WORDS` what may follow the words before the cursor. */
const SCRIPT = `# bash completion for signage-export
_signage_export() {
  local IFS=$'\\n' current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($(compgen -W "$(signage-export completion bash -- "\${COMP_WORDS[@]:0:COMP_CWORD}" 2>/dev/null)" -- "$current"))
}
complete -o default -F _signage_export signage-export
`;

const PLACE = `
Put it where bash reads it:
  signage-export completion bash > ~/.local/share/bash-completion/completions/signage-export`;

type Entries = readonly { readonly name: string; readonly load: () => Promise<(command: Command) => void> }[];

export function addCompletionOf(entries: Entries): (command: Command) => void {
  return (command) => {
    command
      .addArgument(new Argument('<shell>').choices(['bash']))
      .argument('[words...]', 'the words before the cursor: then what may follow them is written')
      .addHelpText('after', PLACE)
      .action(async (_: string, [program, ...words]: readonly string[]) => {
        if (program === undefined || command.parent === null) return void process.stdout.write(SCRIPT);
        for (const word of await choicesAfter(words, command.parent, entries))
          process.stdout.write(`${word}\n`);
      });
  };
}

/** What may follow the words: commands and options; nothing where an option wants a value. */
async function choicesAfter(words: readonly string[], program: Command, entries: Entries) {
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
  const options = [...new Set([...command.options, ...program.options])].map(({ long }) => long ?? '');
  return [...command.commands.map((each) => each.name()), ...options];
}
