import * as z from 'zod';
import { readJson, readState, writeJson } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import type { Attempt } from '../run-id.ts';
import { questionForm } from '../sources/question.ts';
import { RUN_STATUSES } from './payloads.ts';

const count = z.number().int().nonnegative();
const status = z.enum(RUN_STATUSES);

/** The first failure of a source, and how many there are of every other resource and code. */
export const failure = z.object({
  code: z.string(),
  message: z.string(),
  also: z
    .array(z.object({ resource: z.string(), code: z.string(), count }))
    .readonly()
    .exactOptional(),
});

/** What plan decided about a source. Times are ISO. */
export const sourceVerdict = z.object({
  name: z.string(),
  status,
  /** Records of its players or storages listing. */
  listed: count,
  outcomes: z.object({ ok: count, empty: count, gone: count, denied: count, failed: count }).readonly(),
  /** (ok + empty + gone) ÷ all outcomes; 1 where there was nothing to ask for. */
  coverage: z.number(),
  requests: count,
  retries: count,
  /**
   * When the last listing was answered (ok, empty, gone): the freshness of the source. Null where no listing was
   * answered.
   */
  observedAt: z.string().nullable(),
  /** When the last call ended, whatever its outcome. Null where no call was made. */
  endedAt: z.string().nullable(),
  /** What only the operator can decide, beside what failed. */
  asks: z.array(questionForm).readonly(),
  /**
   * Listings that are built otherwise than before, and columns with values that do not fit the type of earlier runs.
   */
  drift: z.array(questionForm).readonly(),
  /** Where it is not complete; `asks`: of each listing that failed for want of a setting. */
  error: failure
    .extend({ asks: z.array(questionForm).readonly() })
    .readonly()
    .exactOptional(),
});

export type SourceVerdict = Readonly<z.infer<typeof sourceVerdict>>;

const planFile = z.object({
  status,
  /** Publishing units, numbered from 0. */
  units: count,
  sources: z.array(sourceVerdict).readonly(),
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
