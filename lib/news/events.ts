import * as z from 'zod';
import { RUN_STATUSES } from '../run/payloads.ts';

/** What EventBridge calls the sender; a rule finds all events by it. */
export const EVENT_SOURCE = 'signage-export';

const count = z.number().int().nonnegative();
const run = {
  /** Of this form; a later form has another number. */
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
    /** How many sources were left out, for EventBridge takes 256 KB; those that are not complete come first. */
    moreSources: count,
    /** Rows in the newest tables. */
    rows: count,
    /** How many events of these kinds come with it. */
    drift: count,
    questions: count,
    /** Null where they could not be looked at; the next run tells them. */
    findings: count.nullable(),
    /** How much of each kind of the view `news` there is since the day before; none where no day can be compared. */
    news: z.array(z.strictObject({ news: z.string(), count })),
    /** That day; null where there is none. */
    newsSince: z.string().nullable(),
    /** Where the page of the run is, or will be: it is put last. */
    report: z.string(),
  }),
  'Run Failed': z.strictObject({
    ...run,
    /** As Step Functions says it: FAILED, TIMED_OUT or ABORTED. Nothing was committed. */
    status: z.string(),
    execution: z.string(),
  }),
  /** Values that do not fit the type of their column, or an answer of another shape, new since the run before. */
  Drift: z.strictObject(place),
  /** What only the operator can decide, new since the run before. */
  Question: z.strictObject(place),
  'Finding Worse': z.strictObject({
    ...run,
    /** Such as `stale-screens`; docs/run/events.md lists them. */
    finding: z.string(),
    /** The sentence behind the number: `screens are stale`. */
    what: z.string(),
    now: count,
    /** At the run before; null where none was counted. */
    before: count.nullable(),
    /** Names of the worst, at most 3, each cut to 80 bytes. */
    names: z.array(z.string()),
  }),
} as const;

export type EventType = keyof typeof EVENT_DETAILS;
export type EventDetail<Type extends EventType> = Readonly<z.infer<(typeof EVENT_DETAILS)[Type]>>;

/** An event as it is put on the account's default bus. */
export type NewsEvent = {
  readonly [Type in EventType]: { readonly type: Type; readonly detail: EventDetail<Type> };
}[EventType];
