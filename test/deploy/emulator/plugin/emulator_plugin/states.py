"""
Step Functions names an error of Lambda's API `Lambda.CODE`; LocalStack's task of a plain function ARN names each
`Exception`, so no Retry for it is ever taken. EMULATOR_FAULTS is a file {"FUNCTION": ["CODE", …]}: the next calls of
the state machine to it are answered so; with `@TEXT` behind it, the next whose payload has that text.
EMULATOR_RETRY_PACE is by what the waits before a retry are multiplied. A distributed map fails where one of its child
executions fails, unless it says how many may; LocalStack's takes any number of them for a success.
"""
import io
import json
import os
import threading

from localstack.aws.api import CommonServiceException
from localstack.runtime import hooks

FAULTS = os.environ.get("EMULATOR_FAULTS")
PACE = float(os.environ.get("EMULATOR_RETRY_PACE", "1"))
lock = threading.Lock()
KILLS = {}
"""Seconds after which the next invocation by a function and event is killed, as for want of memory: "kill:SECONDS"."""
DEADLINES = {}
"""Seconds that it is told it has: "deadline:SECONDS"."""
TIMEOUTS = {}
"""Seconds that it has, in place of the function's own: "timeout:SECONDS"."""


@hooks.on_infra_start()
def name_lambda_errors():
    from botocore.exceptions import ClientError
    from localstack.aws import handlers
    from localstack.aws.api.stepfunctions import HistoryEventType, LambdaFunctionFailedEventDetails
    from localstack.services.stepfunctions.asl.component.common.error_name.custom_error_name import CustomErrorName
    from localstack.services.stepfunctions.asl.component.common.error_name.failure_event import FailureEvent
    from localstack.services.stepfunctions.asl.component.common.retry.jitter_strategy_decl import JitterStrategyDecl
    from localstack.services.stepfunctions.asl.component.state.state_execution.state_task.state_task_lambda import (
        StateTaskLambda,
    )
    from localstack.services.stepfunctions.asl.eval.event.event_detail import EventDetails

    before = StateTaskLambda._from_error

    def from_error(self, env, ex):
        if not isinstance(ex, ClientError):
            return before(self, env, ex)
        name, cause = f"Lambda.{ex.response['Error']['Code']}", ex.response["Error"]["Message"]
        return FailureEvent(
            env=env,
            error_name=CustomErrorName(name),
            event_type=HistoryEventType.LambdaFunctionFailed,
            event_details=EventDetails(
                lambdaFunctionFailedEventDetails=LambdaFunctionFailedEventDetails(error=name, cause=cause)
            ),
        )

    StateTaskLambda._from_error = from_error
    whole = JitterStrategyDecl._eval_body

    def shortened(self, env):
        whole(self, env)
        env.stack.append(env.stack.pop() * PACE)

    JitterStrategyDecl._eval_body = shortened
    handlers.serve_custom_service_request_handlers.append(_fail)


@hooks.on_infra_start()
def fail_maps_of_failed_children():
    from localstack.aws.api.stepfunctions import HistoryEventType, MapRunFailedEventDetails
    from localstack.services.stepfunctions.asl.component.common.error_name.failure_event import (
        FailureEvent,
        FailureEventException,
    )
    from localstack.services.stepfunctions.asl.component.common.error_name.states_error_name import StatesErrorName
    from localstack.services.stepfunctions.asl.component.common.error_name.states_error_name_type import (
        StatesErrorNameType,
    )
    from localstack.services.stepfunctions.asl.component.state.state_execution.state_map.iteration.itemprocessor import (
        distributed_item_processor_worker as workers,
    )
    from localstack.services.stepfunctions.asl.eval.event.event_detail import EventDetails

    worker = workers.DistributedItemProcessorWorker
    before = worker._eval_job

    def eval_job(self, env, job):
        before(self, env, job)
        # A child execution that ends well has an output, be it 0.
        if job.job_output is not None:
            return
        error = StatesErrorNameType.StatesExceedToleratedFailureThreshold
        job.job_output = FailureEventException(
            FailureEvent(
                env=env,
                error_name=StatesErrorName(typ=error),
                event_type=HistoryEventType.MapRunFailed,
                event_details=EventDetails(
                    mapRunFailedEventDetails=MapRunFailedEventDetails(
                        error=error.to_name(), cause="a child execution failed"
                    )
                ),
            )
        )

    worker._eval_job = eval_job


def _fail(chain, context, response):
    if FAULTS is None or context.operation is None or context.operation.name != "Invoke" or not os.path.exists(FAULTS):
        return
    name = context.service_request["FunctionName"].split(":function:")[-1].split(":")[0]
    with lock:
        with open(FAULTS) as file:
            faults = json.load(file)
        text = _text_of(context)
        due = [each for each in faults.get(name, []) if each.partition("@")[2] in text]
        if not due:
            return
        faults[name].remove(due[0])
        code = due[0].partition("@")[0]
        with open(FAULTS, "w") as file:
            json.dump(faults, file)
    if code.startswith("kill:"):
        KILLS[name, text] = float(code.split(":")[1])
    elif code.startswith("deadline:"):
        DEADLINES[name, text] = float(code.split(":")[1])
    elif code.startswith("timeout:"):
        TIMEOUTS[name, text] = float(code.split(":")[1])
    elif code != "pass":
        raise CommonServiceException(code, f"{code} by EMULATOR_FAULTS", status_code=429 if "TooMany" in code else 500)


def _text_of(context):
    """The payload of a call; its stream can be read once, so another takes its place."""
    payload = context.service_request.get("Payload")
    if payload is None:
        return ""
    read = payload.read()
    context.service_request["Payload"] = io.BytesIO(read)
    return as_text(read)


def as_text(payload):
    """An event as JSON without white space, its keys in order."""
    return json.dumps(json.loads(payload or b"null"), separators=(",", ":"), sort_keys=True)
