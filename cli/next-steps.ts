import type { Config } from '#lib/config/config.ts';
import type { RunSummary } from '#lib/run/summary.ts';
import { exportDate } from '#lib/run-id.ts';
import { COLUMN_DOUBTS } from '#lib/sources/question.ts';
import type { GivenOptions } from './program-name.ts';
import { RECOVERY, stepsOf } from './recovery.ts';

export interface NextStepsOptions extends GivenOptions {
  readonly configured?: Config | undefined;
  /** Whether the run can still be repaired. @default true */
  readonly canRepair?: boolean;
}

/** Rows in the answers that the run could not process. */
const SET_ASIDE = new Set(['SOURCE_SET_ASIDE', 'HISTORY_SET_ASIDE', 'TABLE_TOO_WIDE', 'RECORD_TOO_WIDE']);

/** What to do after an incomplete run: for each kind of cause a sentence, and below it commands to paste. */
export function nextSteps(summary: RunSummary, options: NextStepsOptions): readonly string[] {
  if (summary.status === 'complete') return [];
  const { configured, canRepair = true } = options;
  const causes = summary.sources.flatMap(({ name, error }) =>
    (error === undefined ? [] : [error.code, ...(error.also ?? []).map(({ code }) => code)]).map((code) => ({
      name,
      code,
    })),
  );
  const isAsked = ({ name, code }: (typeof causes)[number]): boolean =>
    summary.sources.some(
      (source) => source.name === name && source.questions.some((each) => each.code === code),
    );
  const uncalled = (summary.uncalled ?? []).map(({ name, error: { code } }) => ({ name, code }));
  const shrank = [...new Set(causes.filter(({ code }) => code === 'LISTING_SHRANK').map(({ name }) => name))];
  const asked = causes.filter(isAsked);
  const aside = [...causes, ...uncalled].filter(({ code }) => SET_ASIDE.has(code));
  const others = causes.filter(
    (cause) => !isAsked(cause) && cause.code !== 'LISTING_SHRANK' && !SET_ASIDE.has(cause.code),
  );
  const emptied = summary.sources.flatMap(({ questions }) =>
    questions.filter(({ code }) => COLUMN_DOUBTS.has(code)),
  );
  const steps: string[] = [];
  if (shrank.length > 0) steps.push(...stepsOf(RECOVERY.shrank, { here: { names: shrank }, options }));
  if (asked.length > 0) steps.push(...stepsOf(RECOVERY.asked, { options }));
  if (emptied.length > 0) steps.push(...stepsOf(RECOVERY.changedColumn, { options }));
  if (aside.length > 0 && configured !== undefined) {
    const date = exportDate(summary.runId, configured.timeZone);
    steps.push(...stepsOf(RECOVERY.setAside, { here: { date }, options }));
  }
  if (others.length > 0 || steps.length === 0)
    steps.push(...stepsOf(canRepair ? RECOVERY.refused : RECOVERY.refusedLongAgo, { options }));
  return steps;
}
