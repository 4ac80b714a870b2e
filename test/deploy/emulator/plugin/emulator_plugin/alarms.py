"""Notes in an alarm's history what it has sent, as CloudWatch does; LocalStack sends, and notes its states alone."""
import datetime

from localstack.runtime import hooks


@hooks.on_infra_start()
def note_actions():
    from localstack.services.cloudwatch.provider_v2 import CloudwatchProvider
    from localstack.utils.patch import patch

    @patch(CloudwatchProvider.set_alarm_state)
    def set_alarm_state(fn, self, context, alarm_name, state_value, *args, **kwargs):
        answer = fn(self, context, alarm_name, state_value, *args, **kwargs)
        store = self.get_store(context.account_id, context.region)
        [alarm] = [each.alarm for each in store.alarms.values() if each.alarm["AlarmName"] == alarm_name]
        kind = {"OK": "OKActions", "ALARM": "AlarmActions"}.get(str(state_value), "InsufficientDataActions")
        for action in alarm[kind]:
            store.histories.append(
                {
                    "Timestamp": datetime.datetime.now(),
                    "HistoryItemType": "Action",
                    "AlarmName": alarm_name,
                    "HistoryData": "{}",
                    "HistorySummary": f"Successfully executed action {action}",
                    "AlarmType": "MetricAlarm",
                }
            )
        return answer
