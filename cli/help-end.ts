import type { Command } from 'commander';
import { EXAMPLES, GROUPS } from './commands.ts';
import { PROGRAM } from './program-name.ts';

/** What the exit codes of a command mean, if they are not the usual ones. */
const ENDS: Readonly<Record<string, string>> = {
  run: '0 complete, 3 partial, 1 failed',
  repair: '0 complete, 3 partial, 1 failed',
  schedule: '0 ended by SIGTERM, 1 failed',
  simulate: '0 ended by SIGTERM, 1 failed',
  check: '0 every listing answers, 3 a listing may be incomplete, 1 a listing does not answer',
  init: '0 every listing answers, 3 a listing may be incomplete, 1 a listing does not answer',
  smoke: '0 all works, 1 something does not',
};

/** The commands in the help of the program: at first those of every day. */
export function visibleCommands(command: Command, isWhole: boolean): Command[] {
  return command.commands.filter(
    (each) => isWhole || command.parent !== null || each.helpGroup() === GROUPS.daily,
  );
}

/** The end of a command's help: how to see all commands, two examples and the exit codes. */
export function helpEnd(command: Command, isWhole: boolean): string {
  const path = commandPath(command);
  const examples = EXAMPLES[path]?.map((line) => `  ${PROGRAM} ${line}`) ?? [];
  const others = command.commands.length - visibleCommands(command, isWhole).length;
  return [
    '',
    ...(others === 0
      ? []
      : [`${PROGRAM} --help all shows ${others} more: history and recovery, AWS, tools.`, '']),
    ...(examples.length === 0 ? [] : ['Examples:', ...examples, '']),
    `Exit codes: ${ENDS[path] ?? '0 done, 1 failed'}, 2 wrong usage or config, 130 interrupted`,
  ].join('\n');
}

/** `schema apply`; the program's own name for the program itself. */
function commandPath(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${commandPath(parent)} ${command.name()}` : command.name();
}
