import type { Config } from '#lib/config/config.ts';
import type { RunSummary } from '#lib/run/summary.ts';
import { exportDate } from '#lib/run-id.ts';
import { COLUMN_DOUBTS } from '#lib/sources/question.ts';
import type { GivenOptions } from './program-name.ts';
import { RECOVERY, stepsOf } from './recovery.ts';

export interface NextStepsOptions extends GivenOptions {
  readonly configured?: Config | undefined;
}

/** Rows in the answers that the run could not process. */
const SET_ASIDE = new Set(['SOURCE_SET_ASIDE', 'TABLE_TOO_WIDE', 'RECORD_TOO_WIDE']);

/** What to do after an incomplete run: for each kind of cause a sentence, and below it commands to paste. */
export function nextSteps(
  summary: RunSummary,
  options: NextStepsOptions,
  canRepair = true,
): readonly string[] {
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
