/** Metrics that the alarms look at: AWS counts these, not the alarms. In a file of its own, for `estimate` loads no CDK. */
export const ALARM_METRICS = 20;
