import type { Source } from '../sources/source.ts';

export interface Config {
  /** Glue database, workgroup and stack. */
  readonly name: string;
  /** cron(...) or rate(...) as EventBridge Scheduler has them. @default cron(0 3 * * ? *) */
  readonly schedule: string;
  /** IANA zone of the schedule and of export_date. @default UTC */
  readonly timeZone: string;
  /** Share of a source's outcomes that must be ok, empty or gone. @default 0.95 */
  readonly minCoverage: number;
  /** Share by which a listing may shrink. @default 0.3 */
  readonly maxShrink: number;
  /** Days; 0 = gone after the commit. @default 30 */
  readonly rawRetentionDays: number;
  /** Days; null = for ever. @default null */
  readonly dailyRetentionDays: number | null;
  /** Name of the secret that keys the hashes of masked values. */
  readonly maskSecret?: string;
  readonly alarmEmail?: string;
  readonly kmsKeyArn?: string;
  readonly vpc?: unknown;
  readonly sources: readonly Source[];
}
