import * as z from 'zod';
import { RUN_STATUSES } from '../run/payloads.ts';

/** The sender's name for EventBridge; a rule finds all events by it. */
export const EVENT_SOURCE = 'signage-export';

const count = z.number().int().nonnegative();
const run = {
  /** The version of this form; a later form has another number. */
  version: z.literal(1),
  /** `name` of the config. */
  installation: z.string(),
  runId: z.string(),
  /** From 1; a repair or rebuild of the run has the next one. */
  attempt: z.number().int().positive(),
};
const place = {
  ...run,
  source: z.string(),
  /** What was seen and which settings answer it: keys and counts, never a value of a record. Cut to 2,000 bytes. */
  says: z.string(),
};

/** The details of each kind of event, by its `detail-type`. */
export const EVENT_DETAILS = {
  'Run Committed': z.strictObject({
    ...run,
    status: z.enum(RUN_STATUSES),
    exportDate: z.string(),
    /** The lowest of all sources, 0 to 1; null without sources. */
    coverage: z.number().nullable(),
    sources: z.array(
      z.strictObject({
        name: z.string(),
        status: z.enum(RUN_STATUSES),
        coverage: z.number(),
        /** Code of docs/run/codes.md. */
        error: z.string().optional(),
      }),
    ),
    /** How many sources were left out, because EventBridge takes 256 KB; incomplete ones come first. */
    moreSources: count,
    /** The first 100 of the config's sources that the run did not call. Their rows are of an earlier run. */
    leftOut: z.array(z.string()),
    /** Rows in the newest tables. */
    rows: count,
    /** The number of these events that come with it. */
    drift: count,
    questions: count,
    /** Null if nobody could read them; the next run reports them. */
    findings: count.nullable(),
    /**
     * How much of each kind of the view `news` there is since the day before; empty without a day to compare.
     * `isLeast`: there may be more, because a part of the fleet has no answer on one of the days.
     */
    news: z.array(z.strictObject({ news: z.string(), count, isLeast: z.boolean() })),
    /** That day; null without one. */
    newsSince: z.string().nullable(),
    /** The first 100 sources whose news end earlier: the newest run left them out, or they did not answer. */
    newsUntil: z.array(z.strictObject({ source: z.string(), observedAt: z.string() })),
    /** The present or later place of the run's page: it is put last. */
    report: z.string(),
  }),
  'Run Failed': z.strictObject({
    ...run,
    /** Step Functions' word: FAILED, TIMED_OUT or ABORTED. Nothing was committed. */
    status: z.string(),
    execution: z.string(),
  }),
  /** Values that do not fit their column's type, new since the run before. */
  Drift: z.strictObject(place),
  /** What only the operator can decide, new since the run before. */
  Question: z.strictObject(place),
  'Finding Worse': z.strictObject({
    ...run,
    /** For example `stale-screens`; docs/run/events.md lists them. */
    finding: z.string(),
    /** The sentence after the number: `screens are stale`. */
    what: z.string(),
    now: count,
    /** There may be more. */
    isLeast: z.boolean(),
    /** At the run before; null without a count. */
    before: count.nullable(),
    /** Names of new ones, then of the worst: at most 3, each cut to 80 bytes. */
    names: z.array(z.string()),
  }),
} as const;

export type EventType = keyof typeof EVENT_DETAILS;
export type EventDetail<Type extends EventType> = Readonly<z.infer<(typeof EVENT_DETAILS)[Type]>>;

/** An event for the account's default bus. */
export type NewsEvent = {
  readonly [Type in EventType]: { readonly type: Type; readonly detail: EventDetail<Type> };
}[EventType];
