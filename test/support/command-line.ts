import { type Command, CommanderError } from 'commander';
import { COMMANDS } from '#cli/commands.ts';
import { createProgram } from '#cli/program.ts';

/** Why the program refuses a command line before it does anything; undefined where it takes its words. */
export async function refusalOf(line: string): Promise<string | undefined> {
  const [, ...words] = wordsOf(line);
  const program = createProgram('').configureOutput({ writeOut: () => {}, writeErr: () => {} });
  for (const { name, load } of COMMANDS) {
    const command = program.command(name);
    if (!words.includes(name)) continue;
    (await load())(command);
    doNothing(command);
  }
  try {
    await program.parseAsync(words, { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error.message;
    throw error;
  }
}

/** Commands that read their words, and no more. */
function doNothing(command: Command): void {
  for (const inner of command.commands) doNothing(inner);
  if (command.commands.length === 0) command.action(() => {});
}

/** The words of a line as a shell has them; where its output goes is not part of them. */
function wordsOf(line: string): readonly string[] {
  const [own = ''] = line.split(/ [<>|] /);
  return [...own.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}
