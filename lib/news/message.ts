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
    'finding' | 'what' | 'now' | 'isLeast' | 'before' | 'names'
  >[];
  /** Where the page of the run is; null without a commit. */
  readonly report: string | null;
}

/** At most so many sources are named of each kind; Teams takes 28 KB. */
const MOST_SOURCES = 20;

/** The one message of a run; undefined if `notify` wants none. */
export function messageOf([ended, ...others]: readonly NewsEvent[], notify: Notify): Message | undefined {
  if (ended?.type === 'Run Failed') {
    const { execution: _, ...run } = ended.detail;
    const text = `${run.installation}: run ${run.runId} ended as ${run.status} and committed nothing. The tables are as the run before left them.`;
    return { ...run, text, findings: [], news: [], drift: 0, questions: 0, report: null };
  }
  if (ended?.type !== 'Run Committed') return undefined;
  const { version, installation, runId, attempt, status, news, drift, questions, report } = ended.detail;
  const least = notify.findings ?? Number.POSITIVE_INFINITY;
  const findings = others
    .filter((event) => event.type === 'Finding Worse')
    .map(({ detail: { finding, what, now, isLeast, before, names } }) => ({
      finding,
      what,
      now,
      isLeast,
      before,
      names,
    }))
    .filter(({ now, before }) => now - (before ?? 0) >= least);
  const isNew = findings.length > 0 || Math.max(drift, questions) >= least;
  if (!isNew && !TOLD_ANYWAY[notify.runs].includes(status)) return undefined;
  const text = textOf(ended.detail, findings);
  return { version, installation, runId, attempt, status, text, findings, news, drift, questions, report };
}

const TOLD_ANYWAY: Readonly<Record<Notify['runs'], readonly string[]>> = {
  failed: ['failed'],
  partial: ['failed', 'partial'],
  all: ['failed', 'partial', 'complete'],
};

function textOf(run: EventDetail<'Run Committed'>, findings: Message['findings']): string {
  const bad = run.sources.filter(({ status }) => status !== 'complete');
  const more = counted(bad.length - MOST_SOURCES, 'more source is', 'more sources are');
  const kinds = run.news
    .map(({ news, count, isLeast }) => `${news} ${isLeast ? 'at least ' : ''}${count}`)
    .join(', ');
  const late = run.newsUntil.map(({ source, observedAt }) => `${source}: as of ${observedAt}`);
  return [
    `${run.installation}: run ${run.runId} of ${run.exportDate} is ${run.status}.`,
    firstOf(bad.map(sourceText), '\n', `… ${more} not complete.`),
    run.leftOut.length > 0 && `Left out: ${firstOf(run.leftOut, ', ')}. Their rows are of an earlier run.`,
    ...findings.map(findingText),
    run.findings === null &&
      'The problems of this run could not be counted; the next run tells which are new.',
    run.newsSince !== null && kinds && `Since ${run.newsSince}: ${firstOf([kinds, ...late], '; ')}.`,
    run.drift > 0 && `New drift: ${run.drift}. \`status\` says what.`,
    run.questions > 0 && `New questions: ${run.questions}. \`status\` says which.`,
  ]
    .filter(Boolean)
    .join('\n');
}

function firstOf(parts: readonly string[], between: string, more = 'and others'): string {
  return [...parts.slice(0, MOST_SOURCES), ...(parts.length > MOST_SOURCES ? [more] : [])].join(between);
}

function sourceText({
  name,
  status,
  coverage,
  error,
}: EventDetail<'Run Committed'>['sources'][number]): string {
  const share = `${(flooredShare(coverage) * 100).toFixed(1)} % of its listings answered`;
  return `Source ${name} is ${status}, ${share}${error === undefined ? '' : ` (${error})`}.`;
}

/** "15 screens are stale, 12 more than the run before found. Among them: Lobby · 1." */
function findingText({ what, now, isLeast, before, names }: Message['findings'][number]): string {
  const more = before === null ? '' : `, ${now - before} more than the run before found`;
  return `${isLeast ? 'At least ' : ''}${now} ${what}${more}.${names.length === 0 ? '' : ` Among them: ${names.join(', ')}.`}`;
}

/** The body for a webhook of that form. */
export function bodyOf(message: Message, form: Notify['form']): string {
  const { text, report } = message;
  if (form === 'json') return JSON.stringify(message);
  if (form === 'slack') {
    const link = report === null ? '' : `\n<${slackText(report)}|The report>`;
    return JSON.stringify({ text: `${slackText(text)}${link}` });
  }
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: text.split('\n').map((line) => ({ type: 'TextBlock', text: teamsText(line), wrap: true })),
    actions: report === null ? [] : [{ type: 'Action.OpenUrl', title: 'The report', url: report }],
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return JSON.stringify({ type: 'message', attachments: [{ contentType, content }] });
}

/** Without < no name can mention a person or make a link. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A card reads a text as Markdown. */
function teamsText(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>#~]/g, (each) => `\\${each}`);
}
