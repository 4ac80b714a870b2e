import type { Head } from '../lake/head.ts';
import type { FoundNews } from '../report/collect-news.ts';
import type { RunSummary } from '../run/summary.ts';
import { questionText } from '../sources/question.ts';
import { printableCell } from '../text.ts';
import type { NewsEvent } from './events.ts';
import type { Heard } from './notes.ts';

export interface RunNewsOptions {
  readonly installation: string;
  readonly head: Head;
  readonly summary: RunSummary;
  /** Undefined if nobody could read them. */
  readonly figures: FoundNews | undefined;
  /** What the receiver heard last; undefined if it heard nothing. */
  readonly before: Heard | undefined;
  /** Where the page of the run is. */
  readonly report: string;
}

/** The most events of a kind that a run sends; the event of the commit has all counts. */
const MOST_OF_A_KIND = 50;
const MOST_LEFT_OUT = 100;
/**
 * Names, fields and sources come from a foreign server and from configs of 1,000 sources. EventBridge takes
 * 256 KB at once: one event of a commit and nine others.
 */
const LONGEST_NAME_BYTES = 80;
const LONGEST_SAYING_BYTES = 2000;
const LONGEST_SOURCES_BYTES = 100_000;

/** What to send, and what its receiver then has heard. */
export interface News {
  readonly events: readonly NewsEvent[];
  readonly heard: Heard;
}

/** The events of a committed run: the commit, and what is new or worse since the run before. */
export function runNews(options: RunNewsOptions): News {
  const { installation, head, summary, report } = options;
  const run = { version: 1, installation, runId: head.runId, attempt: head.attempt } as const;
  const [drift, questions] = [newAsks(options, 'drift'), newAsks(options, 'questions')];
  const worse = worseFindings(options);
  const { sources } = summary;
  const called = new Set(sources.map(({ name }) => name));
  const events: NewsEvent[] = [
    {
      type: 'Run Committed',
      detail: {
        ...run,
        status: head.status,
        exportDate: head.exportDate,
        coverage: sources.length === 0 ? null : Math.min(...sources.map(({ coverage }) => coverage)),
        ...shownSources(sources),
        leftOut: head.sources.filter((name) => !called.has(name)).slice(0, MOST_LEFT_OUT),
        rows: Object.values(summary.tables).reduce((sum, { rows }) => sum + rows, 0),
        drift: drift.length,
        questions: questions.length,
        findings: worse?.length ?? null,
        ...newsOfDay(options.figures),
        report,
      },
    },
    ...drift.slice(0, MOST_OF_A_KIND).map((ask) => ({ type: 'Drift', detail: { ...run, ...ask } }) as const),
    ...questions
      .slice(0, MOST_OF_A_KIND)
      .map((ask) => ({ type: 'Question', detail: { ...run, ...ask } }) as const),
    ...(worse ?? []).map((finding) => ({ type: 'Finding Worse', detail: { ...run, ...finding } }) as const),
  ];
  return { events, heard: heardOf(options) };
}

/** Incomplete ones come first, because the last may be cut. */
function shownSources(sources: RunSummary['sources']) {
  const shown = sources.map(({ name, status, coverage, error }) => ({
    name,
    status,
    coverage,
    ...(error && { error: error.code }),
  }));
  shown.sort((a, b) => Number(a.status === 'complete') - Number(b.status === 'complete'));
  let bytes = 0;
  const end = shown.findIndex((each) => {
    bytes += Buffer.byteLength(JSON.stringify(each)) + 1;
    return bytes > LONGEST_SOURCES_BYTES;
  });
  const kept = end === -1 ? shown : shown.slice(0, end);
  return { sources: kept, moreSources: shown.length - kept.length };
}

/** The kinds with any news since the day before. Unknown ones are left out, and the page says so. */
function newsOfDay(figures: FoundNews | undefined) {
  if (figures === undefined) return { news: [], newsSince: null, newsUntil: [] };
  const { since, kinds, muted = {} } = figures.news;
  const found = kinds.map(({ kind, counts }) => ({
    news: kind,
    count: (counts['1'] ?? 0) - (muted[kind] ?? 0),
  }));
  return {
    news: found.filter(({ count }) => count > 0),
    newsSince: since['1']?.first ?? null,
    newsUntil: figures.lagging.slice(0, MOST_LEFT_OUT),
  };
}

/** What the next run compares with: the findings of the run before, if nobody could read this one's. */
function heardOf({ summary, figures, before }: RunNewsOptions): Heard {
  const read = figures && Object.fromEntries(figures.findings.map(({ id, count }) => [id, count]));
  const asks = summary.sources.flatMap((source) =>
    [...source.drift, ...questionTexts(source)].map((says) => identity(source.name, says)),
  );
  return { findings: read ?? before?.findings, asks };
}

/** The drift and questions that the run before did not have. */
function newAsks({ summary, before }: RunNewsOptions, kind: 'drift' | 'questions') {
  const known = new Set(before?.asks);
  return summary.sources.flatMap((source) =>
    (kind === 'drift' ? source.drift : questionTexts(source))
      .filter((says) => !known.has(identity(source.name, says)))
      .map((says) => ({ source: source.name, says: cutToBytes(says, LONGEST_SAYING_BYTES) })),
  );
}

/** A source's questions in words; drift has its own words. */
function questionTexts({ drift, questions }: RunSummary['sources'][number]): readonly string[] {
  return questions.map(questionText).filter((says) => !drift.includes(says));
}

/** The same from run to run, even if it counts more values. */
function identity(source: string, says: string): string {
  return `${source}: ${says.replaceAll(/\d+/g, '#')}`;
}

function worseFindings({ figures, before }: RunNewsOptions) {
  return figures?.findings
    .map(({ id, what, count, worst }) => ({
      finding: id,
      what,
      now: count,
      before: before?.findings === undefined ? null : (before.findings[id] ?? 0),
      names: worst.map(({ name }) => cutToBytes(printableCell(name), LONGEST_NAME_BYTES)),
    }))
    .filter(({ now, before: then }) => now > (then ?? 0));
}

/** A text of at most so many bytes of UTF-8, never cut within a character. The … of a cut text does not count. */
function cutToBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  return `${new TextDecoder().decode(bytes.subarray(0, most), { stream: true })}…`;
}
