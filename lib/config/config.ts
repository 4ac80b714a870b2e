import type { Source } from '../sources/source.ts';
import type { VpcSetting } from './deployment-shape.ts';

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
  /** Who hears of alarms: an address that the stack's own topic writes to, or a topic that is there already. */
  readonly alarmEmail?: string;
  readonly alarmTopicArn?: string;
  /** The key of the lake and of results. */
  readonly kmsKeyArn?: string;
  /** The key of the secrets, where they are not under AWS's own. */
  readonly secretsKmsKeyArn?: string;
  /** The key with which the account encrypts its Glue catalog. */
  readonly catalogKmsKeyArn?: string;
  /** What no role of the stack may go beyond. */
  readonly permissionsBoundaryArn?: string;
  /** Of every resource of the stack. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly vpc?: VpcSetting;
  readonly sources: readonly Source[];
}
