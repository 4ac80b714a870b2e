import { type GivenOptions, nextCommand } from './program-name.ts';

/** The values in a way's commands for this lake. */
interface Here {
  readonly names: readonly string[];
  readonly date: string;
  readonly run: string;
  readonly time: string;
}

/** A way out of one situation. */
export interface Way {
  /** The situation, as docs/run/recovery.md has it. */
  readonly seen: string;
  /** What to do before the commands; a sentence of docs/run/recovery.md. */
  readonly first: string;
  /** The text of `run` and `status` above the commands; without it they print an error of their own. */
  readonly next?: (names: string) => string;
  readonly commands: (here: Here) => readonly (readonly string[])[];
}

const RUN = ['run'];
const rollback = ({ run }: Here) => [['rollback', run]];
const rebuild = ({ date }: Here) => [['rebuild', '--from', date]];

/** The one home of what to do in which situation: `run` and `status` print it, docs/run/recovery.md shows it. */
export const RECOVERY = {
  refused: {
    seen: 'A key was wrong, or a listing was denied or failed',
    first: 'Fix the key, the right or the server.',
    next: () => 'Next: fix the problem above, then retry the failed calls:',
    commands: () => [['repair']],
  },
  refusedLongAgo: {
    seen: 'A key or a listing failed, and the files that `repair` needs are gone',
    first: 'Fix the key, the right or the server.',
    next: () => 'Next: fix the problem above, then export again:',
    commands: () => [RUN],
  },
  shrank: {
    seen: 'A listing is smaller than before, and that is right',
    first: 'Make sure that fewer records are right.',
    next: (names) => `Next, if ${names} rightly has fewer records now:`,
    commands: ({ names }) => [['run', ...names.flatMap((name) => ['--accept-shrink', name])]],
  },
  asked: {
    seen: 'An answer is in doubt, or contradicts itself',
    first: 'Answer the questions.',
    next: () =>
      'Next: answer the questions above. check writes the settings that the answers support; the next run publishes:',
    commands: () => [['check', '--write'], RUN],
  },
  changedColumn: {
    seen: 'A column is empty now, or means something else',
    first: 'Write one of the settings in the message into the config.',
    next: () =>
      'Next: write one of the settings above into the config, or wait until the API has the values again. Then:',
    commands: () => [RUN],
  },
  setAside: {
    seen: 'A run failed on answers that it has (SET_ASIDE, TOO_WIDE)',
    first: 'Change the limit in the message.',
    next: () => 'Next: fix the problem above, then use the kept answers again:',
    commands: rebuild,
  },
  renamed: {
    seen: 'A source has another name in the config',
    first: 'Write the old name into the source: `"was": "OLD_NAME"`.',
    commands: () => [RUN],
  },
  removed: {
    seen: 'A source left the config, and that is right',
    first: 'Nothing.',
    next: (names) =>
      `Next: the config no longer has ${names}, and no run begins. If the name changed, write the old one into the source as \`was\`. If it is gone for good:`,
    commands: ({ names }) => [['run', ...names.flatMap((name) => ['--accept-source-removal', name])]],
  },
  wrongSetting: {
    seen: 'A type, format or time zone in the config was wrong',
    first: 'Correct the setting. The next run reads the history again; this command does it now.',
    commands: rebuild,
  },
  damaged: {
    seen: 'A file is damaged, and its raw answers are kept',
    first: '`verify` names the file and its date.',
    next: () => 'Next (until it is done, the broken tables have no answer):',
    commands: rebuild,
  },
  damagedForGood: {
    seen: 'A file is damaged, and its raw answers are gone',
    first: 'Restore the file from a copy, or go back to a run before it.',
    next: () => 'Next (until it is done, the broken tables have no answer):',
    commands: rollback,
  },
  badRun: {
    seen: 'A run published something wrong',
    first: '`status` lists the runs that you can go back to.',
    next: () => 'To take the tables back to an earlier run',
    commands: rollback,
  },
  clockAhead: {
    seen: 'A clock was ahead, and every run is refused',
    first: 'Put the clock right.',
    next: () =>
      'Next: put the clock of this machine right if it is behind. If it is right, go back to the newest run before now:',
    commands: (here) => [...rollback(here), RUN],
  },
  killed: {
    seen: 'A run was killed',
    first: 'Nothing.',
    next: () => 'Next:',
    commands: ({ time }) => [['run', '--run-time', time]],
  },
  lostState: {
    seen: '`state/` is lost, damaged or older than the tables',
    first: 'Stop what puts files back.',
    next: () => 'Next (until it is done, no run begins):',
    commands: () => [['recover']],
  },
  newMaskKey: {
    seen: '`maskSecret` shall have another key',
    first: 'Put the new key into the secret.',
    commands: () => [['schema', 'new-mask-key']],
  },
  purge: {
    seen: 'A source must go from all dates, for good',
    first: 'Remove it from the config.',
    commands: ({ names }) => [['purge', '--source', ...names]],
  },
  purgeRecord: {
    seen: 'One player, storage or other record must go from all dates, for good',
    first: 'Remove it at its source, or the next run exports it again.',
    commands: () => [['purge', '--record', 'TABLE', 'KEY']],
  },
} as const satisfies Readonly<Record<string, Way>>;

/** The sentence of a way, and below it its commands, to paste. */
export function stepsOf(
  way: Way & Required<Pick<Way, 'next'>>,
  options: GivenOptions,
  here: Partial<Here> = {},
): readonly string[] {
  return [way.next((here.names ?? []).join(', ')), ...commandsOf(way, options, here)];
}

/** The commands of a way, each on a line, to paste. */
export function commandsOf(
  { commands }: Way,
  options: GivenOptions,
  here: Partial<Here> = {},
): readonly string[] {
  const { config, secrets } = options;
  return commands({ names: [], date: '', run: '', time: '', ...here }).map(
    // check reads no lake.
    (words) => `  ${nextCommand(words, words[0] === 'check' ? { config, secrets } : options)}`,
  );
}
