import * as z from 'zod';
import { ExportError } from '../errors.ts';
import { readJson } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import type { Attempt } from '../run-id.ts';
import { RESOURCES } from '../sources/resources.ts';
import { NOT_COLLECTED, type SourceVerdict, sourceVerdict } from './outcomes/verdicts.ts';
import { RUN_STATUSES } from './payloads.ts';
import { leftOutSource, type PublishedUnit, rowCounts, verdictIn } from './published-unit.ts';
import type { RunRecord } from './run-record.ts';

const count = z.number().int().nonnegative();

const sourceSummary = sourceVerdict
  .omit({ requests: true, retries: true, observedAt: true, endedAt: true })
  .readonly();

/** Converts a source in a summary of an earlier version: its `asks` had the questions in words. */
function sourceOfToday(source: unknown): unknown {
  const { asks, ...today } = Object(source);
  const questions = asks ?? today.questions;
  return {
    ...today,
    questions: Array.isArray(questions) ? questions.filter((each) => typeof each === 'object') : questions,
  };
}

const runSummary = z.object({
  runId: z.string(),
  status: z.enum(RUN_STATUSES),
  /** From the start to the commit; in a repair or rebuild from that command's start. */
  durationSeconds: z.number(),
  requests: count,
  retries: count,
  sources: z.array(z.preprocess(sourceOfToday, sourceSummary)).readonly(),
  tables: z.record(z.string(), rowCounts).readonly(),
  /** Sources of the config that the run left out; missing when empty. */
  leftOut: z.array(leftOutSource).readonly().exactOptional(),
  /** Columns, as TABLE.COLUMN, that this run newly hides in all days; missing when empty. */
  hidden: z.array(z.string()).readonly().exactOptional(),
});

/** What `run --json` prints; people script against it. */
export type RunSummary = Readonly<z.infer<typeof runSummary>>;

export interface SummaryOptions {
  readonly record: RunRecord;
  readonly units: readonly PublishedUnit[];
  readonly committedAt: Date;
}

/** The summary of a run just before its commit. */
export function summaryOf({ record, units, committedAt }: SummaryOptions): RunSummary {
  const { status, sources } = verdictIn(units);
  const hidden = units.flatMap((unit) => unit.hidden ?? []);
  const leftOut = units.flatMap((unit) => unit.leftOut ?? []);
  const begunAt = Date.parse(record.againAt ?? record.startedAt);
  // Tables come in the order of the resources, because units come in the order of their sizes.
  const tables = RESOURCES.flatMap(({ name }) => {
    const own = units.filter(({ table }) => table === name);
    return own.length === 0 ? [] : [[name, countsOf(own)] as const];
  });
  return {
    runId: record.runId,
    status,
    durationSeconds: Math.round((committedAt.getTime() - begunAt) / 100) / 10,
    requests: sources.reduce((total, { requests }) => total + requests, 0),
    retries: sources.reduce((total, { retries }) => total + retries, 0),
    sources: sources.map(sourceSummaryOf),
    tables: Object.fromEntries(tables),
    ...(leftOut.length > 0 && { leftOut }),
    ...(hidden.length > 0 && { hidden }),
  };
}

function sourceSummaryOf(verdict: SourceVerdict): RunSummary['sources'][number] {
  const { requests: _, retries: __, observedAt: ___, endedAt: ____, ...summary } = verdict;
  return summary;
}

function countsOf(units: readonly PublishedUnit[]): RunSummary['tables'][string] {
  const sum = (name: keyof typeof rowCounts.shape) => units.reduce((total, unit) => total + unit[name], 0);
  return {
    rows: sum('rows'),
    added: sum('added'),
    removed: sum('removed'),
    changed: sum('changed'),
    rejected: sum('rejected'),
  };
}

/** True where the lake has no answer of the source, not even that of a failed call. */
export function isUncollected({ outcomes, error }: RunSummary['sources'][number]): boolean {
  const { failed: _, ...others } = outcomes;
  const codes = error === undefined ? [] : [error.code, ...(error.also ?? []).map(({ code }) => code)];
  return Object.values(others).every((n) => n === 0) && codes.every((code) => code === NOT_COLLECTED);
}

/** The summary of a committed attempt; undefined where it is lost. */
export async function readSummaryIfAny(
  lake: Lake,
  { runId, attempt }: Attempt,
): Promise<RunSummary | undefined> {
  return await readJson(lake, lakeKey('summary', { runId, attempt }), runSummary);
}

/** The summary for a head that is committed again; where it is lost, one without sources. */
export async function readSummaryOrNone(
  lake: Lake,
  head: Attempt & Pick<RunSummary, 'status'>,
): Promise<RunSummary> {
  const { runId, status } = head;
  const none = { runId, status, durationSeconds: 0, requests: 0, retries: 0, sources: [], tables: {} };
  return (await readSummaryIfAny(lake, head)) ?? none;
}

/** The summary of a committed attempt. Throws SUMMARY_MISSING where it is lost. */
export async function readSummary(lake: Lake, attempt: Attempt): Promise<RunSummary> {
  const summary = await readSummaryIfAny(lake, attempt);
  if (summary !== undefined) return summary;
  throw new ExportError({
    code: 'SUMMARY_MISSING',
    message: `${lake.name} has no summary of run ${attempt.runId}: its state was removed. The tables are as the run left them. Query the table runs, or let \`recover\` bring back what it can.`,
  });
}
