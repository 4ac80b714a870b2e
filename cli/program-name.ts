/** How this program is called: by its name where it is installed, by npm in a checkout of the repository. */
export const PROGRAM = process.argv[1]?.endsWith('.ts') ? 'npm run -s export --' : 'signage-export';
