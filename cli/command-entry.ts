import type { Command } from 'commander';

/** The groups of commands. The first help shows the daily ones; `--help all` shows all. */
export const GROUPS = {
  daily: 'Commands:',
  history: 'History and recovery:',
  aws: 'AWS:',
  tools: 'Tools:',
} as const;

/** A command by its name. Its options and action load when it is called. */
export interface CommandEntry {
  readonly name: string;
  readonly group: keyof typeof GROUPS;
  readonly description: string;
  /** Returns what adds options and action to the command. */
  readonly load: () => Promise<(command: Command) => void>;
}

/** Adds the command to the program, in the help of its group; its options come when it is loaded. */
export function addCommand(program: Command, { name, group, description }: CommandEntry): Command {
  return program.command(name).description(description).helpGroup(GROUPS[group]);
}
