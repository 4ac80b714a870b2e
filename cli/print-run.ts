import type { RunSummary } from '#lib/run/summary.ts';
import { type Question, questionText, saidWithCures } from '#lib/sources/question.ts';
import { counted, flooredShare } from '#lib/text.ts';
import { nextCommand, nextQuery } from './program-name.ts';
import { settingLines } from './proposals.ts';
import { type NextOptions, nextSteps } from './recovery.ts';
import { logLine, say, show } from './say.ts';
import { stateText } from './terminal.ts';
import { textTable } from './text-table.ts';

const NOTES_SHOWN = 8;

/** `docs/understand/privacy.md` has all places that still show hidden values. */
const STILL_SHOWN =
  'The files that showed it are removed by the first commit a day after this one; S3 keeps their versions a day longer, and Athena the results of earlier queries for 30 days after each query. The pages of earlier dates in the results bucket (_report/report-DATE.html) are emptied by a deployed run; after one from this machine delete them there. The raw answers have it for rawRetentionDays.';

type RunPlace = NextOptions & { readonly lake: string };

/** Prints the summary of a run on stdout: as one JSON document, or as lines for a person. */
export function printRun(summary: RunSummary, options: RunPlace & { readonly json: boolean }): void {
  logLine({ level: summary.status === 'complete' ? 'info' : 'warning', run: summary });
  if (options.json) {
    say(summary);
    return;
  }
  const next = nextSteps(summary, options);
  const isReadable = Object.values(summary.tables).some(({ rows }) => rows > 0);
  const page = isReadable ? ['', 'A page of it:', `  ${nextCommand(['report'], options)}`] : [];
  show([...describeRun(summary, options), ...(next.length === 0 ? [] : ['', ...next]), ...page].join('\n'));
}

/** The summary of a run as lines for a person. `place` has the command's options, for commands to paste. */
export function describeRun(summary: RunSummary, place: RunPlace): readonly string[] {
  const sources = summary.sources.map(({ name, status, listed, outcomes, coverage }) => [
    ...[name, status, String(listed)],
    ...[outcomes.ok, outcomes.empty, outcomes.gone, outcomes.denied, outcomes.failed].map(String),
    percent(coverage),
  ]);
  const tables = Object.entries(summary.tables).map(([name, { rows, added, removed, changed, rejected }]) => [
    name,
    ...[rows, added, removed, changed, rejected].map(String),
  ]);
  const lines = summary.sources.flatMap((source) => sourceLines(source, place));
  const notes = summary.sources
    .flatMap((source) => source.notes)
    .map(({ source, resource, code }) => `${source} ${resource} ${code}`);
  const more = notes.length > NOTES_SHOWN ? [`${notes.length - NOTES_SHOWN} more`] : [];
  const { hidden = [], leftOut = [] } = summary;
  return [
    `Run ${summary.runId} is ${stateText(summary.status)}: ${counted(summary.requests, 'request')} (${counted(summary.retries, 'retry', 'retries')}) in ${summary.durationSeconds} s, in ${place.lake}`,
    '',
    textTable(
      ['source', 'status', 'listed', 'ok', 'empty', 'gone', 'denied', 'failed', 'coverage'],
      sources,
      { states: ['status'] },
    ),
    '',
    textTable(['table', 'rows', 'added', 'removed', 'changed', 'rejected'], tables),
    // The view has an example of each value that is not in its cell as it came.
    ...(Object.values(summary.tables).some(({ rejected }) => rejected > 0)
      ? ['', 'To see what was rejected and why:', `  ${nextQuery('data_quality', place)}`]
      : []),
    ...(lines.length === 0 ? [] : ['', ...lines]),
    ...leftOut.map(
      ({ name, asOf }) =>
        `${name} was left out by --source: ${asOf === null ? 'the tables have nothing of it yet' : `its rows are as of ${asOf}`}. A run without --source renews them.`,
    ),
    // `check` and the table outcomes show all of them.
    ...(notes.length === 0
      ? []
      : ['', `Notes, which need no answer: ${[...notes.slice(0, NOTES_SHOWN), ...more].join(', ')}.`]),
    ...(hidden.length === 0
      ? []
      : ['', `Hidden in all days since this run: ${hidden.join(', ')}. ${STILL_SHOWN}`]),
  ];
}

/** What went wrong with a source, and its questions, each with the settings for it and their places in the config. */
function sourceLines(
  { name, coverage, minCoverage, error, questions, drift }: RunSummary['sources'][number],
  { configured }: RunPlace,
): readonly string[] {
  const names = configured?.sources.map((source) => source.name) ?? [];
  const settings = (question: Question) => settingLines(question, names).map((line) => `  ${line}`);
  const isError = ({ says, cures }: Question) => error?.message.includes(saidWithCures(says, cures)) === true;
  const lines: string[] = [];
  if (minCoverage !== undefined)
    lines.push(
      `${name}: failed, because its coverage of ${percent(coverage)} is below minCoverage, ${percent(minCoverage)}.`,
    );
  if (error !== undefined) {
    const [failure] = questions.filter(isError);
    const said = failure && saidWithCures(failure.says, failure.cures);
    const message = said ? error.message.replace(said, () => `${failure.says}.`) : error.message;
    const others = error.also?.map(({ resource, code, count }) => `${resource} ${code} (${count})`) ?? [];
    const also = others.length === 0 ? '' : ` Also: ${others.join(', ')}.`;
    lines.push(`${name}: ${error.code}: ${message}${also}`);
  }
  return [
    ...lines,
    ...questions.filter(isError).slice(0, 1).flatMap(settings),
    ...drift.map((each) => `${name}: drift: ${each}`),
    ...questions
      .filter((question) => !isError(question) && !drift.includes(questionText(question)))
      .flatMap((each) => [`${name}: ${questionText({ ...each, cures: [] })}`, ...settings(each)]),
  ];
}

/** Never rounded up: a share below a threshold looks like it. */
export function percent(share: number): string {
  return `${(flooredShare(share) * 100).toFixed(1)} %`;
}
