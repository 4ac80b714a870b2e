/** The number of metrics that the alarms watch, for which AWS charges. In this file, so that `estimate` loads no CDK. */
export const ALARM_METRICS = 21;
