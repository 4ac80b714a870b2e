import type { Config } from '../config/config.ts';
import { counted, flooredShare } from '../text.ts';
import type { EventDetail, NewsEvent } from './events.ts';

export type Notify = NonNullable<Config['notify']>;

/** What `notify` reports about a run, in the form `json`; docs/run/events.md has it too. */
export interface Message
  extends Omit<EventDetail<'Run Failed'>, 'execution'>,
    Pick<EventDetail<'Run Committed'>, 'news' | 'drift' | 'questions'> {
  /** All of it in words, one sentence a line. */
  readonly text: string;
  readonly findings: readonly Pick<
    EventDetail<'Finding Worse'>,
    'finding' | 'what' | 'now' | 'before' | 'names'
  >[];
  /** Where the page of the run is; null without a commit. */
  readonly report: string | null;
}

/** At most so many incomplete sources have a line; Teams takes 28 KB. */
const MOST_SOURCES = 20;

/** The one message of a run; undefined if `notify` wants none. */
export function messageOf(events: readonly NewsEvent[], notify: Notify): Message | undefined {
  const failed = events.find((event) => event.type === 'Run Failed');
  if (failed !== undefined) {
    const { version, installation, runId, attempt, status } = failed.detail;
    const text = `${installation}: run ${runId} ended as ${status} and committed nothing. The tables are as the run before left them.`;
    return {
      ...{ version, installation, runId, attempt, status, text },
      ...{ findings: [], news: [], drift: 0, questions: 0, report: null },
    };
  }
  const committed = events.find((event) => event.type === 'Run Committed');
  if (committed === undefined) return undefined;
  const { version, installation, runId, attempt, status, report, ...counts } = committed.detail;
  const least = notify.findings ?? Number.POSITIVE_INFINITY;
  const findings = events
    .filter((event) => event.type === 'Finding Worse')
    .map(({ detail: { finding, what, now, before, names } }) => ({ finding, what, now, before, names }))
    .filter(({ now, before }) => now - (before ?? 0) >= least);
  const { drift, questions, news } = counts;
  if (findings.length === 0 && Math.max(drift, questions) < least && !isToldAnyway(status, notify)) {
    return undefined;
  }
  const bad = counts.sources.filter((source) => source.status !== 'complete');
  const text = [
    `${installation}: run ${runId} of ${counts.exportDate} is ${status}.`,
    ...bad.slice(0, MOST_SOURCES).map(({ name, status: of, coverage, error }) => {
      const share = `${(flooredShare(coverage) * 100).toFixed(1)} % of its listings answered`;
      return `Source ${name} is ${of}, ${share}${error === undefined ? '' : ` (${error})`}.`;
    }),
    ...(bad.length > MOST_SOURCES
      ? [`… ${counted(bad.length - MOST_SOURCES, 'more source is', 'more sources are')} not complete.`]
      : []),
    ...leftOutText(counts.leftOut),
    ...findings.map(findingText),
    ...(counts.findings === null
      ? ['The problems of this run could not be counted; the next run tells which are new.']
      : []),
    ...newsText(counts),
    ...(drift > 0 ? [`New drift: ${drift}. \`status\` says what.`] : []),
    ...(questions > 0 ? [`New questions: ${questions}. \`status\` says which.`] : []),
  ].join('\n');
  return { version, installation, runId, attempt, status, text, findings, news, drift, questions, report };
}

function leftOutText(sources: readonly string[]): readonly string[] {
  if (sources.length === 0) return [];
  const more = sources.length > MOST_SOURCES ? ' and others' : '';
  return [`Left out: ${sources.slice(0, MOST_SOURCES).join(', ')}${more}. Their rows are of an earlier run.`];
}

/** "12 more screens are stale: 15 now, 3 at the run before. The worst: Lobby · 1." */
function findingText({ what, now, before, names }: Message['findings'][number]): string {
  const worst = names.length === 0 ? '' : ` The worst: ${names.join(', ')}.`;
  if (before === null) return `${now} ${what}.${worst}`;
  return `${now} ${what}, ${now - before} more than at the run before.${worst}`;
}

/** "Since 2026-11-22: player offline 5, screen stale 5; munich: as of 2026-11-22T03:00:00Z." */
function newsText(counts: Pick<EventDetail<'Run Committed'>, 'news' | 'newsSince' | 'newsUntil'>) {
  const { news, newsSince, newsUntil } = counts;
  if (newsSince === null || news.length === 0) return [];
  const late = newsUntil
    .slice(0, MOST_SOURCES)
    .map(({ source, observedAt }) => `; ${source}: as of ${observedAt}`);
  const more = newsUntil.length > MOST_SOURCES ? '; and others' : '';
  const kinds = news.map(({ news: kind, count }) => `${kind} ${count}`).join(', ');
  return [`Since ${newsSince}: ${kinds}${late.join('')}${more}.`];
}

function isToldAnyway(status: 'complete' | 'partial' | 'failed', { runs }: Notify): boolean {
  return runs === 'all' || status === 'failed' || (status === 'partial' && runs === 'partial');
}

/** The body for a webhook of that form. */
export function bodyOf(message: Message, form: Notify['form']): string {
  const { text, report } = message;
  if (form === 'json') return JSON.stringify(message);
  if (form === 'slack') {
    const link = report === null ? '' : `\n<${slackText(report)}|The report>`;
    return JSON.stringify({ text: `${slackText(text)}${link}` });
  }
  return JSON.stringify({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: text.split('\n').map((line) => ({ type: 'TextBlock', text: teamsText(line), wrap: true })),
          actions: report === null ? [] : [{ type: 'Action.OpenUrl', title: 'The report', url: report }],
        },
      },
    ],
  });
}

/** Without < no name can mention a person or make a link. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A card reads a text as Markdown. */
function teamsText(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>#~]/g, (each) => `\\${each}`);
}
