/**
 * USD in us-east-1, without taxes and free tiers, as read on 2026-08-31.
 * @see https://aws.amazon.com/lambda/pricing/ /step-functions/pricing/ /s3/pricing/ /eventbridge/pricing/
 * /cloudwatch/pricing/ /secrets-manager/pricing/ /athena/pricing/ /vpc/pricing/ /ec2/pricing/on-demand/
 */
export const PRICES = {
  asOf: '2026-08-31',
  region: 'us-east-1',
  lambdaGbSecond: { arm64: 0.0000133334, x86_64: 0.0000166667 },
  lambdaRequest: 0.2 / 1e6,
  transition: 0.000025,
  s3Put: 0.005 / 1000,
  /** A page of a listing costs as a put. */
  s3List: 0.005 / 1000,
  s3Get: 0.0004 / 1000,
  s3GbMonth: 0.023,
  /** To the internet; the first 100 GB of an account are free. */
  egressGb: 0.09,
  natHour: 0.045,
  natGb: 0.045,
  /** For each hour with a value a 730th of it. */
  metricMonth: 0.3,
  logGb: 0.5,
  dashboardMonth: 3,
  alarmMetricMonth: 0.1,
  secretMonth: 0.4,
  secretCall: 0.05 / 10_000,
} as const;

/** The metrics that the alarms of the stack watch: AWS charges for each. */
export const ALARM_METRICS = 21;
