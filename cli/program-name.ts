import { secretsNextTo } from './named-files.ts';

/** How this program is called: by its name where it is installed, by npm in a checkout of the repository. */
export const PROGRAM = process.argv[1]?.endsWith('.ts') ? 'npm run -s export --' : 'signage-export';

const CONFIG = 'export.config.json';

/** A command line of this program, which can be pasted as it stands. */
export function commandLine(words: readonly string[]): string {
  return [PROGRAM, ...words.map(quoted)].join(' ');
}

/** Options that a command was given, and that the next one needs as well. */
export interface GivenOptions {
  readonly config?: string | undefined;
  readonly lake?: string | undefined;
  readonly secrets?: string | undefined;
  readonly deployed?: boolean | undefined;
}

/** The next command as it can be pasted, with every option that was given and differs from its default. */
export function nextCommand(words: readonly string[], given: GivenOptions): string {
  const { config, lake, secrets, deployed } = given;
  return commandLine([
    ...words,
    ...(config === undefined || config === CONFIG ? [] : ['--config', config]),
    ...(secrets === undefined || secrets === secretsNextTo(config ?? CONFIG) ? [] : ['--secrets', secrets]),
    ...(lake === undefined || lake === './lake' || deployed === true ? [] : ['--lake', lake]),
    ...(deployed === true ? ['--deployed'] : []),
  ]);
}

/** The query as it can be pasted: of the deployed stack Athena is asked. */
export function nextQuery(sql: string, given: GivenOptions): string {
  return given.deployed === true
    ? nextCommand(['query', sql, '--athena'], { config: given.config })
    : nextCommand(['query', sql], given);
}

/** A word as a shell reads it: in double quotes where those of Linux and of Windows read the same in them. */
function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return /["$`\\!%\n]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : `"${word}"`;
}
