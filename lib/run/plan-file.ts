import * as z from 'zod';
import { readJson, readState, writeJson } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import type { Attempt } from '../run-id.ts';
import { noteForm } from '../sources/note.ts';
import { questionForm } from '../sources/question.ts';

const count = z.number().int().nonnegative();

/** What plan asks and says of a source. */
const plannedSource = z.object({
  name: z.string(),
  /** What the operator is to decide so that the listings that failed are read. */
  asksOfFailed: z.array(questionForm).readonly(),
  /** What only the operator can decide, beside what failed. */
  asks: z.array(questionForm).readonly(),
  /** What was seen and needs no answer; a plan of an earlier version has none. */
  notes: z.array(noteForm).readonly().default([]),
  /**
   * Listings that are built otherwise than before, and columns with values that do not fit the type of earlier runs.
   */
  drift: z.array(questionForm).readonly(),
});

export type PlannedSource = Readonly<z.infer<typeof plannedSource>>;

const planFile = z.object({
  /** Publishing units, numbered from 0; the last one is the ledger. */
  units: count,
  sources: z.array(plannedSource).readonly(),
  /** How each source's resources were read, for the head. */
  dialects: z.record(z.string(), z.unknown()).readonly(),
});

/** What plan leaves for publish and commit, besides outcomes, schema and units. */
export type PlanFile = Readonly<z.infer<typeof planFile>>;

/** What plan left for an attempt. Throws STATE_CORRUPT where it left nothing. */
export async function readPlan(lake: Lake, attempt: Attempt): Promise<PlanFile> {
  return await readState(lake, planKey(attempt), planFile);
}

/** What plan left for an attempt; undefined where it left nothing. Throws STATE_CORRUPT. */
export async function readPlanIfAny(lake: Lake, attempt: Attempt): Promise<PlanFile | undefined> {
  return await readJson(lake, planKey(attempt), planFile);
}

/** Leaves a plan for the stages behind it. */
export async function writePlan(lake: Lake, attempt: Attempt, plan: PlanFile): Promise<void> {
  await writeJson(lake, planKey(attempt), plan);
}

function planKey({ runId, attempt }: Attempt): string {
  return lakeKey('plan', { runId, attempt });
}
