import type { Command } from 'commander';

/** A command by its name; its options and what it does are loaded where it is called. */
export interface CommandEntry {
  readonly name: string;
  readonly description: string;
  /** Gives what adds options and action to the command. */
  readonly load: () => Promise<(command: Command) => void>;
}
