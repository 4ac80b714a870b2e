import type { RunSummary } from '#lib/run/summary.ts';
import { counted, flooredShare } from '#lib/text.ts';
import { logLine } from './log-file.ts';
import type { GlobalOptions } from './options.ts';
import { type GivenOptions, nextCommand, nextQuery } from './program-name.ts';
import { say, show } from './say.ts';
import { stateWord } from './terminal.ts';
import { textTable } from './text-table.ts';

type RunPlace = Omit<GivenOptions, 'lake'> & Pick<GlobalOptions, 'lake'>;
type RunPrinting = RunPlace & Pick<GlobalOptions, 'json'>;

/** Prints the summary of a run on stdout: as one JSON document, or as lines for a person. */
export function printRun(summary: RunSummary, options: RunPrinting): void {
  logLine({ level: summary.status === 'complete' ? 'info' : 'warning', run: summary });
  if (options.json) {
    say(JSON.stringify(summary));
    return;
  }
  show([...describeRun(summary, options), ...nextLines(summary, options)].join('\n'));
}

/** What was denied or failed can be asked for again, once its cause is mended. */
function nextLines({ status }: RunSummary, options: RunPrinting): readonly string[] {
  if (status === 'complete') return [];
  const again = nextCommand(['repair'], options);
  return [
    '',
    'Next: mend what is named above; then what was denied or failed is asked for again by',
    `  ${again}`,
  ];
}

/** The summary of a run as lines for a person. `place` has the options that were given, for what can be pasted. */
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
  const notes = summary.sources.flatMap(({ name, coverage, minCoverage, error, questions, drift }) => [
    ...(minCoverage === undefined
      ? []
      : [
          `${name}: failed, because its coverage of ${percent(coverage)} is below minCoverage, ${percent(minCoverage)}.`,
        ]),
    ...(error === undefined ? [] : [`${name}: ${error.code}: ${error.message}${alsoText(error)}`]),
    ...drift.map((each) => `${name}: drift: ${each}`),
    ...questions.map((question) => `${name}: ${question}`),
  ]);
  const { hidden = [], uncalled = [] } = summary;
  return [
    `Run ${summary.runId} is ${stateWord(summary.status)}: ${counted(summary.requests, 'request')} (${counted(summary.retries, 'retry', 'retries')}) in ${summary.durationSeconds} s, in ${place.lake}`,
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
    ...(notes.length === 0 ? [] : ['', ...notes]),
    ...uncalled.map(({ name, error }) => `${name}, which was not called: ${error.code}: ${error.message}`),
    ...(hidden.length === 0 ? [] : ['', hiddenText(hidden)]),
  ];
}

/** Never rounded up: what is below a threshold looks like it. */
function percent(share: number): string {
  return `${(flooredShare(share) * 100).toFixed(1)} %`;
}

/** How to see the values that are not in their cells as they came: the view has an example of each. */
function rejectedLines({ tables }: RunSummary, place: RunPlace): readonly string[] {
  if (!Object.values(tables).some(({ rejected }) => rejected > 0)) return [];
  return ['', 'To see what was rejected and why:', `  ${nextQuery('data_quality', place)}`];
}

/** What still shows values that are hidden now: docs/privacy.md has all places. */
function hiddenText(hidden: readonly string[]): string {
  return `Hidden in all days since this run: ${hidden.join(', ')}. The files that showed it are removed by the first commit a day after this one; S3 keeps their versions a day longer, and Athena the results of earlier queries for 30 days after each query. The pages of earlier dates in the results bucket (_report/report-DATE.html) are emptied by a deployed run; after one from this machine delete them there. The raw answers have it for rawRetentionDays.`;
}

/** The other failures, by resource and code. */
function alsoText({ also = [] }: NonNullable<RunSummary['sources'][number]['error']>): string {
  const others = also.map(({ resource, code, count }) => `${resource} ${code} (${count})`);
  return others.length === 0 ? '' : ` Also: ${others.join(', ')}.`;
}
