import { readFileSync } from 'node:fs';
import { config } from 'zod';
import { keepTlsVerified } from '#lib/runtime/environment.ts';
import { nearest } from '#lib/text.ts';
import { addCommand, COMMANDS } from './commands.ts';
import { createProgram } from './program.ts';
import { setBudgetOfWasm } from './restart-with-little-memory.ts';
import { note } from './say.ts';
import { sayFailure } from './say-failure.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
/** `--help all` and `help all`. */
const isWhole = /^(--help|-h|help) all$/.test(process.argv.slice(2).join(' '));
const program = createProgram(version, isWhole);
const failed = (error: unknown) => sayFailure(error, { json: program.opts().json === true, version });
process.on('uncaughtException', (error) => process.exit(failed(error)));
// Readers may stop reading: `query … | head -1`.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
if (keepTlsVerified())
  note(
    'warning: NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect, because certificates are always verified. To trust another one, set caFile.',
  );
// zod can write and compile a parser for a shape, which is worth it for thousands of objects; a command reads a few.
config({ jitless: true });
try {
  await addCommands();
  setBudgetOfWasm();
  await program.parseAsync(process.argv);
} catch (error) {
  process.exitCode = failed(error);
}
// Then nothing is left to do. Node would first take its heap apart, which takes 25 ms after a run. It comes
// last: a command that waits for ever still ends with Node's own exit code, 13.
process.once('beforeExit', () => process.exit());

/** Lists all commands, and loads the one on the command line: to load all takes longer than most commands run. */
async function addCommands(): Promise<void> {
  const { operands } = program.parseOptions(process.argv.slice(2));
  const [first, second] = operands;
  const asked = first === 'help' ? second : first;
  const names = ['help', 'all', ...COMMANDS.map(({ name }) => name)];
  // Commander shows the help of all if `help` names no command.
  if (first === 'help' && asked !== undefined && !names.includes(asked)) {
    const meant = nearest(asked, names);
    const hint = meant === undefined ? '' : `\n(Did you mean ${meant}?)`;
    program.error(`error: unknown command '${asked}'${hint}`, { code: 'commander.unknownCommand' });
  }
  for (const entry of COMMANDS) {
    const command = addCommand(program, entry);
    if (entry.name === asked) (await entry.load())(command);
  }
  if (isWhole) program.help();
}
