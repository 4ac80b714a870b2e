export const SHELLS = ['bash', 'zsh', 'fish'] as const;

interface Word {
  readonly word: string;
  readonly says: string;
}

/** What may follow the words of a command. */
export interface Completed {
  /** `schema apply`; empty for the program itself. */
  readonly path: string;
  readonly words: readonly Word[];
  readonly options: readonly (Word & { readonly takesValue: boolean })[];
}

/** A script that makes the shell complete the commands and their options; values of options are completed as files. */
export function completionScript(shell: (typeof SHELLS)[number], commands: readonly Completed[]): string {
  return SCRIPTS[shell](commands);
}

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], (commands: readonly Completed[]) => string>> = {
  bash,
  zsh,
  fish,
};

const choicesOf = ({ words, options }: Completed) => [...words, ...options].map(({ word }) => word);

/** The words that are not options decide the command; a word after an option with a value is a file. */
function bash(commands: readonly Completed[]): string {
  const values = [
    ...new Set(
      commands
        .flatMap(({ options }) => options.filter(({ takesValue }) => takesValue))
        .map(({ word }) => word),
    ),
  ];
  const cases = commands.map(
    (each) => `    ${each.path === '' ? "''" : `'${each.path}'`}) choices='${choicesOf(each).join(' ')}' ;;`,
  );
  const paths = commands.map(({ path }) => path).filter((path) => path !== '');
  return `# bash completion for signage-export
_signage_export() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path='' skip='' word choices=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ -n $skip ]]; then skip=''; continue; fi
    case " ${values.join(' ')} " in *" $word "*) skip=1; continue ;; esac
    [[ $word == -* ]] && continue
    case " ${paths.map((path) => path.replaceAll(' ', '/')).join(' ')} " in
      *" \${path:+\${path// //}/}$word "*) path="\${path:+$path }$word" ;;
    esac
  done
  COMPREPLY=()
  case " ${values.join(' ')} " in *" $previous "*) COMPREPLY=($(compgen -f -- "$current")); return ;; esac
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "$current"))
}
complete -o default -F _signage_export signage-export
`;
}

const inSingle = (text: string) => text.replaceAll("'", "'\\''");

function zsh(commands: readonly Completed[]): string {
  const described = ({ word, says }: Word) => `'${inSingle(word)}:${inSingle(says.replaceAll(':', '\\:'))}'`;
  const cases = commands.map(
    (each) =>
      `    ${each.path === '' ? "''" : `'${each.path}'`}) choices=(${[...each.words, ...each.options].map(described).join(' ')}) ;;`,
  );
  const paths = commands.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`]));
  return `#compdef signage-export
_signage_export() {
  local -a choices known
  local at='' word
  known=(${paths.join(' ')})
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] && continue
    (( \${known[(Ie)\${at:+$at }$word]} )) && at="\${at:+$at }$word"
  done
  case "$at" in
${cases.join('\n')}
  esac
  _describe 'signage-export' choices || _files
}
compdef _signage_export signage-export
`;
}

function fish(commands: readonly Completed[]): string {
  const conditionOf = (path: string) =>
    path === ''
      ? '__fish_use_subcommand'
      : path
          .split(' ')
          .map((word) => `__fish_seen_subcommand_from ${word}`)
          .join('; and ');
  const lines = commands.flatMap(({ path, words, options }) => [
    ...words.map(
      ({ word, says }) =>
        `complete -c signage-export -f -n '${conditionOf(path)}' -a '${word}' -d '${inFish(says)}'`,
    ),
    ...options.map(
      ({ word, says, takesValue }) =>
        `complete -c signage-export -n '${conditionOf(path)}' -l '${word.replace(/^--/, '')}'${takesValue ? ' -r' : ''} -d '${inFish(says)}'`,
    ),
  ]);
  return `# fish completion for signage-export\n${lines.join('\n')}\n`;
}

const inFish = (text: string) => text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
