import type { Head } from '../lake/head.ts';
import type { FoundNews } from '../report/collect-news.ts';
import type { RunSummary } from '../run/summary.ts';
import { questionText } from '../sources/question.ts';
import { printableCell } from '../text.ts';
import type { EventDetail, NewsEvent } from './events.ts';
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
export function runNews({ installation, head, summary, figures, before, report }: RunNewsOptions): News {
  const run = { version: 1, installation, runId: head.runId, attempt: head.attempt } as const;
  const { sources } = summary;
  const asks = sources.flatMap(asksOf);
  const known = new Set(before?.asks);
  const fresh = (type: Ask['type']) => asks.filter((ask) => ask.type === type && !known.has(identity(ask)));
  const [drift, questions] = [fresh('Drift'), fresh('Question')];
  const called = sources.map(({ name }) => name);
  const worse = figures && worseFindings(figures, before);
  const counts = figures && Object.fromEntries(figures.findings.map(({ id, count }) => [id, count]));
  const committed = {
    ...run,
    status: head.status,
    exportDate: head.exportDate,
    coverage: sources.length === 0 ? null : Math.min(...sources.map(({ coverage }) => coverage)),
    ...shownSources(sources),
    leftOut: head.sources.filter((name) => !called.includes(name)).slice(0, MOST_LEFT_OUT),
    rows: Object.values(summary.tables).reduce((sum, { rows }) => sum + rows, 0),
    drift: drift.length,
    questions: questions.length,
    findings: worse?.length ?? null,
    ...newsOfDay(figures),
    report,
  };
  const events: NewsEvent[] = [
    { type: 'Run Committed', detail: committed },
    ...[drift, questions]
      .flatMap((each) => each.slice(0, MOST_OF_A_KIND))
      .map(({ type, source, says }) => ({
        type,
        detail: { ...run, source, says: cutToBytes(says, LONGEST_SAYING_BYTES) },
      })),
    ...(worse ?? []).map((finding) => ({ type: 'Finding Worse', detail: { ...run, ...finding } }) as const),
  ];
  // The next run compares with the findings of the run before, if nobody could read this one's.
  return { events, heard: { findings: counts ?? before?.findings, asks: asks.map(identity) } };
}

/** Incomplete ones come first, because the last may be cut. */
function shownSources(sources: RunSummary['sources']) {
  let room = LONGEST_SOURCES_BYTES;
  const shown = sources
    .toSorted((a, b) => Number(a.status === 'complete') - Number(b.status === 'complete'))
    .map(({ name, status, coverage, error }) => ({ name, status, coverage, error: error?.code }))
    .filter((each) => {
      room -= Buffer.byteLength(JSON.stringify(each)) + 1;
      return room >= 0;
    });
  return { sources: shown, moreSources: sources.length - shown.length };
}

/** The kinds with any news since the day before. Unknown ones are left out, and the page says so. */
function newsOfDay(figures: FoundNews | undefined) {
  if (figures === undefined) return { news: [], newsSince: null, newsUntil: [] };
  const { since, kinds, muted = {} } = figures.news;
  const news = kinds
    .map(({ kind, counts, isLeast }) => ({
      news: kind,
      count: (counts['1'] ?? 0) - (muted[kind] ?? 0),
      isLeast: isLeast['1'],
    }))
    .filter(({ count }) => count > 0);
  const newsUntil = figures.lagging
    .flatMap(({ source, observedAt }) => (observedAt === null ? [] : [{ source, observedAt }]))
    .slice(0, MOST_LEFT_OUT);
  return { news, newsSince: since['1']?.first ?? null, newsUntil };
}

type Ask = Pick<EventDetail<'Drift'>, 'source' | 'says'> & { readonly type: 'Drift' | 'Question' };

/** A source's drift, and its questions that are no drift. */
function asksOf({ name: source, drift, questions }: RunSummary['sources'][number]): readonly Ask[] {
  const others = questions.map(questionText).filter((says) => !drift.includes(says));
  const each = (type: Ask['type']) => (says: string) => ({ type, source, says });
  return [...drift.map(each('Drift')), ...others.map(each('Question'))];
}

/** The same from run to run, even if it counts more values. */
function identity({ source, says }: Ask): string {
  return `${source}: ${says.replaceAll(/\d+/g, '#')}`;
}

function worseFindings({ findings }: FoundNews, before: Heard | undefined) {
  return findings
    .map(({ id, what, count, isLeast, worst }) => ({
      finding: id,
      what,
      now: count,
      isLeast,
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
