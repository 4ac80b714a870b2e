import { UsageError } from './errors.ts';

/** The scheduled time of a run in UTC, to the second: `20261121T030000Z`. Also the value of `export_run_id`. */
export type RunId = string;

/** The name of an attempt, `RUN_ID.A`: its files lie below it. Stored records call this field `run`. */
export type AttemptName = string;

/** One taking of the lease under a run id. */
export interface Attempt {
  readonly runId: RunId;
  /** From 1. */
  readonly attempt: number;
}

const RUN_ID = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
const ATTEMPT_NAME = /^([^.]+)\.([1-9]\d{0,8})$/;

/** The run id of that moment; milliseconds are cut. */
export function runIdAt(date: Date): RunId {
  return date
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(/[-:]/g, '');
}

/** The scheduled time in a run id. Throws UsageError if it is not a run id. */
export function runTime(runId: RunId): Date {
  const time = new Date(runId.replace(RUN_ID, '$1-$2-$3T$4:$5:$6Z'));
  if (RUN_ID.test(runId) && !Number.isNaN(time.getTime()) && runIdAt(time) === runId) return time;
  throw new UsageError(
    `"${runId}" is not a run id: write the scheduled time in UTC as YYYYMMDDThhmmssZ, such as 20261121T030000Z.`,
    'RUN_ID_INVALID',
  );
}

/** The date of a run in an IANA time zone, `YYYY-MM-DD`: the partition that it writes. */
export function exportDate(runId: RunId, timeZone: string): string {
  // Intl takes 10 ms to begin, and UTC is the most usual zone.
  if (timeZone === 'UTC') return runTime(runId).toISOString().slice(0, 10);
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(runTime(runId));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

/** `20261121T030000Z.1` for attempt 1. */
export function attemptName({ runId, attempt }: Attempt): AttemptName {
  return `${runId}.${attempt}`;
}

/** The attempt of that name. Throws UsageError for another text. */
export function parseAttemptName(name: AttemptName): Attempt {
  const [, runId, attempt] = ATTEMPT_NAME.exec(name) ?? [];
  if (runId === undefined || attempt === undefined) {
    throw new UsageError(
      `"${name}" is not an attempt of a run: write RUN_ID.A, such as 20261121T030000Z.1.`,
      'RUN_ID_INVALID',
    );
  }
  runTime(runId);
  return { runId, attempt: Number(attempt) };
}
