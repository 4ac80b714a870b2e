import type { RunSummary } from '#lib/run/summary.ts';
import { type Question, questionText, saidWithCures } from '#lib/sources/question.ts';
import { counted, flooredShare } from '#lib/text.ts';
import { type NextStepsOptions, nextSteps } from './next-steps.ts';
import type { GlobalOptions } from './options.ts';
import { nextCommand, nextQuery } from './program-name.ts';
import { logLine, say, show } from './say.ts';
import { settingLines } from './setting-lines.ts';
import { stateText } from './terminal.ts';
import { textTable } from './text-table.ts';

/** The others are only counted. */
const NOTES_SHOWN = 8;

type RunPlace = Omit<NextStepsOptions, 'lake'> & Pick<GlobalOptions, 'lake'>;
type SourceError = NonNullable<RunSummary['sources'][number]['error']>;
type RunPrinting = RunPlace & Pick<GlobalOptions, 'json'>;

/** Prints the summary of a run on stdout: as one JSON document, or as lines for a person. */
export function printRun(summary: RunSummary, options: RunPrinting): void {
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
    name,
    status,
    String(listed),
    ...[outcomes.ok, outcomes.empty, outcomes.gone, outcomes.denied, outcomes.failed].map(String),
    percent(coverage),
  ]);
  const tables = Object.entries(summary.tables).map(([name, { rows, added, removed, changed, rejected }]) => [
    name,
    ...[rows, added, removed, changed, rejected].map(String),
  ]);
  const names = place.configured?.sources.map(({ name }) => name) ?? [];
  const lines = summary.sources.flatMap(({ name, coverage, minCoverage, error, questions, drift }) => [
    ...(minCoverage === undefined
      ? []
      : [
          `${name}: failed, because its coverage of ${percent(coverage)} is below minCoverage, ${percent(minCoverage)}.`,
        ]),
    ...(error === undefined ? [] : errorLines(name, { error, questions, names })),
    ...drift.map((each) => `${name}: drift: ${each}`),
    ...questions
      .filter((question) => !isSaidIn(error?.message, question) && !drift.includes(questionText(question)))
      .flatMap((question) => [
        `${name}: ${questionText({ ...question, cures: [] })}`,
        ...settingLines(question, names).map((line) => `  ${line}`),
      ]),
  ]);
  const { hidden = [], uncalled = [], leftOut = [] } = summary;
  return [
    `Run ${summary.runId} is ${stateText(summary.status)}: ${counted(summary.requests, 'request')} (${counted(summary.retries, 'retry', 'retries')}) in ${summary.durationSeconds} s, in ${place.lake}`,
    '',
    textTable(
      ['source', 'status', 'listed', 'ok', 'empty', 'gone', 'denied', 'failed', 'coverage'],
      sources,
      {
        states: ['status'],
      },
    ),
    '',
    textTable(['table', 'rows', 'added', 'removed', 'changed', 'rejected'], tables),
    ...rejectedLines(summary, place),
    ...(lines.length === 0 ? [] : ['', ...lines]),
    ...uncalled.map(({ name, error }) => `${name}, which was not called: ${error.code}: ${error.message}`),
    ...leftOut.map(
      ({ name, asOf }) =>
        `${name} was left out by --source: ${asOf === null ? 'the tables have nothing of it yet' : `its rows are as of ${asOf}`}. A run without --source renews them.`,
    ),
    ...noteLines(summary),
    ...(hidden.length === 0 ? [] : ['', hiddenText(hidden)]),
  ];
}

/** The first failure of a source. If it is a question, each setting for it is a line with its place in the config. */
function errorLines(
  name: string,
  {
    error,
    questions,
    names,
  }: Pick<RunSummary['sources'][number], 'questions'> & {
    readonly error: SourceError;
    readonly names: readonly string[];
  },
): readonly string[] {
  const question = questions.find((each) => isSaidIn(error.message, each));
  const { says, cures } = question ?? { says: '', cures: [] };
  const message =
    question === undefined
      ? error.message
      : error.message.replace(saidWithCures(says, cures), () => `${says}.`);
  const settings = question === undefined ? [] : settingLines(question, names);
  return [`${name}: ${error.code}: ${message}${alsoText(error)}`, ...settings.map((line) => `  ${line}`)];
}

function isSaidIn(message: string | undefined, { says, cures }: Question): boolean {
  return message?.includes(saidWithCures(says, cures)) === true;
}

/** Notes that need no answer, on one line: `check` and the table outcomes show all of them. */
function noteLines({ sources }: RunSummary): readonly string[] {
  const notes = sources.flatMap((source) => source.notes);
  const places = notes.map(({ source, resource, code }) => `${source} ${resource} ${code}`);
  const shown = places.slice(0, NOTES_SHOWN);
  const rest = places.length - shown.length;
  const more = rest > 0 ? [`${rest} more`] : [];
  return notes.length === 0 ? [] : ['', `Notes, which need no answer: ${[...shown, ...more].join(', ')}.`];
}

/** Never rounded up: a share below a threshold looks like it. */
function percent(share: number): string {
  return `${(flooredShare(share) * 100).toFixed(1)} %`;
}

/** How to see the values that are not in their cells as they came: the view has an example of each. */
function rejectedLines({ tables }: RunSummary, place: RunPlace): readonly string[] {
  if (!Object.values(tables).some(({ rejected }) => rejected > 0)) return [];
  return ['', 'To see what was rejected and why:', `  ${nextQuery('data_quality', place)}`];
}

/** What still shows values that are hidden now: docs/understand/privacy.md has all places. */
function hiddenText(hidden: readonly string[]): string {
  return `Hidden in all days since this run: ${hidden.join(', ')}. The files that showed it are removed by the first commit a day after this one; S3 keeps their versions a day longer, and Athena the results of earlier queries for 30 days after each query. The pages of earlier dates in the results bucket (_report/report-DATE.html) are emptied by a deployed run; after one from this machine delete them there. The raw answers have it for rawRetentionDays.`;
}

/** The other failures, by resource and code. */
function alsoText({ also = [] }: SourceError): string {
  const others = also.map(({ resource, code, count }) => `${resource} ${code} (${count})`);
  return others.length === 0 ? '' : ` Also: ${others.join(', ')}.`;
}
