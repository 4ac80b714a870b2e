/** Metrics that the alarms look at: AWS counts these, not the alarms. Apart from them, for `estimate` has no CDK. */
export const ALARM_METRICS = 20;
