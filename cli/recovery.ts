import type { Config } from '#lib/config/config.ts';
import type { RunSummary } from '#lib/run/summary.ts';
import { exportDate } from '#lib/run-id.ts';
import { COLUMN_DOUBTS } from '#lib/sources/question.ts';
import { type GivenOptions, nextCommand } from './program-name.ts';

/** What stands for words in capitals in a lake: its sources, and the day, run or time that is meant. */
interface Here extends Readonly<Partial<Record<'DATE' | 'RUN_ID' | 'TIME', string>>> {
  readonly names?: readonly string[];
}

export interface Way {
  /** The situation, as docs/run/recovery.md has it. */
  readonly seen: string;
  /** What to do before the commands; a sentence of docs/run/recovery.md. */
  readonly first: string;
  /** The text of `run` and `status` above the commands; without it they print an error of their own. */
  readonly next?: string;
  readonly commands: readonly string[];
}

/** The one home of what to do in which situation: `run` and `status` print it, docs/run/recovery.md shows it. */
export const RECOVERY = {
  refused: {
    seen: 'A key was wrong, or a listing was denied or failed',
    first: 'Fix the key, the right or the server.',
    next: 'Next: fix the problem above, then retry the failed calls:',
    commands: ['repair'],
  },
  refusedLongAgo: {
    seen: 'A key or a listing failed, and the files that `repair` needs are gone',
    first: 'Fix the key, the right or the server.',
    next: 'Next: fix the problem above, then export again:',
    commands: ['run'],
  },
  shrank: {
    seen: 'A listing is smaller than before, and that is right',
    first: 'Make sure that fewer records are right.',
    next: 'Next, if NAME rightly has fewer records now:',
    commands: ['run --accept-shrink NAME'],
  },
  asked: {
    seen: 'An answer is in doubt, or contradicts itself',
    first: 'Answer the questions.',
    next: 'Next: answer the questions above. check writes the settings that the answers support; the next run publishes:',
    commands: ['check --write', 'run'],
  },
  changedColumn: {
    seen: 'A column is empty now, or means something else',
    first: 'Write one of the settings in the message into the config.',
    next: 'Next: write one of the settings above into the config, or wait until the API has the values again. Then:',
    commands: ['run'],
  },
  setAside: {
    seen: 'A run failed on answers that it has (SET_ASIDE, TOO_WIDE)',
    first: 'Change the limit in the message.',
    next: 'Next: fix the problem above, then use the kept answers again:',
    commands: ['rebuild --from DATE'],
  },
  renamed: {
    seen: 'A source has another name in the config',
    first: 'Write the old name into the source: `"was": "OLD_NAME"`.',
    commands: ['run'],
  },
  removed: {
    seen: 'A source left the config, and that is right',
    first: 'Nothing.',
    next: 'Next: the config no longer has NAME, and no run begins. If the name changed, write the old one into the source as `was`. If it is gone for good:',
    commands: ['run --accept-source-removal NAME'],
  },
  wrongSetting: {
    seen: 'A type, format or time zone in the config was wrong',
    first: 'Correct the setting. The next run reads the history again; this command does it now.',
    commands: ['rebuild --from DATE'],
  },
  damaged: {
    seen: 'A file is damaged, and its raw answers are kept',
    first: '`verify` names the file and its date.',
    next: 'Next (until it is done, the broken tables have no answer):',
    commands: ['rebuild --from DATE'],
  },
  damagedForGood: {
    seen: 'A file is damaged, and its raw answers are gone',
    first: 'Restore the file from a copy, or go back to a run before it.',
    next: 'Next (until it is done, the broken tables have no answer):',
    commands: ['rollback RUN_ID'],
  },
  badRun: {
    seen: 'A run published something wrong',
    first: '`status` lists the runs that you can go back to.',
    next: 'To take the tables back to an earlier run',
    commands: ['rollback RUN_ID'],
  },
  clockAhead: {
    seen: 'A clock was ahead, and every run is refused',
    first: 'Put the clock right.',
    next: 'Next: put the clock of this machine right if it is behind. If it is right, go back to the newest run before now:',
    commands: ['rollback RUN_ID', 'run'],
  },
  killed: {
    seen: 'A run was killed',
    first: 'Nothing.',
    next: 'Next:',
    commands: ['run --run-time TIME'],
  },
  late: {
    seen: 'The run that was due has not come',
    first: 'See whether the schedule still starts runs; on AWS [run late](runbook.md#alarm-run-late).',
    next: 'Next: the run that was due has not come. See whether the schedule still starts runs (on AWS: docs/run/runbook.md, "run late"), and export now:',
    commands: ['run'],
  },
  lostState: {
    seen: '`state/` is lost, damaged or older than the tables',
    first: 'Stop what puts files back.',
    next: 'Next (until it is done, no run begins):',
    commands: ['recover'],
  },
  newMaskKey: {
    seen: '`maskSecret` shall have another key',
    first: 'Put the new key into the secret.',
    commands: ['schema new-mask-key'],
  },
  purge: {
    seen: 'A source must go from all dates, for good',
    first: 'Remove it from the config.',
    commands: ['purge --source NAME'],
  },
  purgeRecord: {
    seen: 'One player, storage or other record must go from all dates, for good',
    first: 'Remove it at its source, or the next run exports it again.',
    commands: ['purge --record TABLE KEY'],
  },
} as const satisfies Readonly<Record<string, Way>>;

type WayOn = Way & { readonly next: string };

/** The sentence of a way, and below it its commands, to paste. */
export function stepsOf(way: WayOn, options: GivenOptions, here: Here = {}): readonly string[] {
  return [way.next.replace('NAME', (here.names ?? []).join(', ')), ...commandsOf(way, options, here)];
}

/** The commands of a way, each on a line, to paste. An option of a source comes once for each. */
export function commandsOf({ commands }: Way, options: GivenOptions, here: Here = {}): readonly string[] {
  const { config, secrets } = options;
  const values: Readonly<Record<string, unknown>> = { ...here };
  return commands.map((command) => {
    const words = command.split(' ').flatMap((word, at, all) => {
      if (word !== 'NAME') return [String(values[word] ?? word)];
      return (here.names ?? []).flatMap((name, index) => (index === 0 ? [name] : [all[at - 1] ?? '', name]));
    });
    // check reads no lake.
    return `  ${nextCommand(words, words[0] === 'check' ? { config, secrets } : options)}`;
  });
}

export interface NextOptions extends GivenOptions {
  readonly configured?: Config | undefined;
}

/** Rows in the answers that the run could not process. */
const SET_ASIDE = new Set(['SOURCE_SET_ASIDE', 'TABLE_TOO_WIDE', 'RECORD_TOO_WIDE']);

/** What to do after an incomplete run: for each kind of cause a sentence, and below it commands to paste. */
export function nextSteps(summary: RunSummary, options: NextOptions, canRepair = true): readonly string[] {
  if (summary.status === 'complete') return [];
  const { configured } = options;
  const causes = summary.sources.flatMap(({ name, error, questions }) =>
    (error === undefined ? [] : [error, ...(error.also ?? [])]).map(({ code }) => ({
      ...{ name, code, isAsked: questions.some((each) => each.code === code) },
    })),
  );
  const shrank = causes.filter(({ code }) => code === 'LISTING_SHRANK').map(({ name }) => name);
  const hasOthers = causes.some(
    ({ code, isAsked }) => !isAsked && code !== 'LISTING_SHRANK' && !SET_ASIDE.has(code),
  );
  const asked = summary.sources.flatMap(({ questions }) => questions);
  const steps: string[] = [];
  if (shrank.length > 0) steps.push(...stepsOf(RECOVERY.shrank, options, { names: [...new Set(shrank)] }));
  if (causes.some(({ isAsked }) => isAsked)) steps.push(...stepsOf(RECOVERY.asked, options));
  if (asked.some(({ code }) => COLUMN_DOUBTS.has(code)))
    steps.push(...stepsOf(RECOVERY.changedColumn, options));
  if (causes.some(({ code }) => SET_ASIDE.has(code)) && configured !== undefined) {
    const DATE = exportDate(summary.runId, configured.timeZone);
    steps.push(...stepsOf(RECOVERY.setAside, options, { DATE }));
  }
  if (hasOthers || steps.length === 0)
    steps.push(...stepsOf(canRepair ? RECOVERY.refused : RECOVERY.refusedLongAgo, options));
  return steps;
}
