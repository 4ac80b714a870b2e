import * as z from 'zod';
import { readState, writeJson } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import type { Attempt } from '../run-id.ts';
import { noteForm } from '../sources/note.ts';
import { questionForm } from '../sources/question.ts';

const count = z.number().int().nonnegative();

/** The questions and notes of plan about a source. */
const plannedSource = z.object({
  name: z.string(),
  /** The operator's decisions that make the failed listings readable. */
  asksOfFailed: z.array(questionForm).readonly(),
  /** The operator's decisions to make, except about failures. */
  asks: z.array(questionForm).readonly(),
  /** What was seen and needs no answer; missing in a plan of an earlier version. */
  notes: z.array(noteForm).readonly().default([]),
  /** Columns with values that misfit their earlier type. */
  drift: z.array(questionForm).readonly(),
});

export type PlannedSource = Readonly<z.infer<typeof plannedSource>>;

const planFile = z.object({
  /** The number of publishing units; the last one is the ledger. */
  units: count,
  sources: z.array(plannedSource).readonly(),
  /** How each source's resources were read, for the head. */
  dialects: z.record(z.string(), z.unknown()).readonly(),
});

/** What plan leaves for publish and commit, besides outcomes, schema and units. */
export type PlanFile = Readonly<z.infer<typeof planFile>>;

/** The plan of an attempt. Throws STATE_CORRUPT without one. */
export async function readPlan(lake: Lake, attempt: Attempt): Promise<PlanFile> {
  return await readState(lake, lakeKey('plan', attempt), planFile);
}

export async function writePlan(lake: Lake, attempt: Attempt, plan: PlanFile): Promise<void> {
  await writeJson(lake, lakeKey('plan', attempt), plan);
}
