/** How this program is called: by its name where it is installed, by npm in a checkout of the repository. */
export const PROGRAM = process.argv[1]?.endsWith('.ts') ? 'npm run -s export --' : 'signage-export';

/** A command line of this program, which can be pasted as it stands. */
export function commandLine(words: readonly string[]): string {
  return [PROGRAM, ...words.map(quoted)].join(' ');
}

/** A word as a shell reads it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
