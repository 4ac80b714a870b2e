import { secretsNextTo } from './named-files.ts';

/** How to call this program: by its name if it is installed, by npm in a checkout of the repository. */
export const PROGRAM = process.argv[1]?.endsWith('.ts') ? 'npm run -s export --' : 'signage-export';

/** The config without `--config`. */
export const CONFIG = 'export.config.json';

/** A command line of this program, ready to paste. */
export function commandLine(words: readonly string[]): string {
  return [PROGRAM, ...words.map(quoted)].join(' ');
}

/** Options of a command that the next one needs too. */
export interface GivenOptions
  extends Readonly<Partial<Record<'config' | 'lake' | 'secrets', string | undefined>>> {
  readonly deployed?: boolean | undefined;
}

/** The next command to paste, with every option that differs from its default. */
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

/** The query to paste; the deployed stack's goes to Athena. */
export function nextQuery(sql: string, given: GivenOptions): string {
  return given.deployed === true
    ? nextCommand(['query', sql, '--athena'], { config: given.config })
    : nextCommand(['query', sql], given);
}

/** A word for a shell: in double quotes if Linux and Windows read the same in them. */
function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return /["$`\\!%\n]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : `"${word}"`;
}
