"""
Decides what the roles of the stack may, as IAM does for identity policies: EMULATOR_IAM=enforce answers with
AccessDenied, =watch lets pass; each decision is a line of EMULATOR_IAM_LOG. Callers that are no role of a stack pass.
"""
import json
import os
import re
import threading
from urllib.parse import unquote

from localstack.aws.api import CommonServiceException
from localstack.runtime import hooks

from emulator_plugin.deploying import EXECUTION_ROLE, asked_to_deploy

MODE = os.environ.get("EMULATOR_IAM", "watch")
LOG_PATH = os.environ.get("EMULATOR_IAM_LOG")
S3_ACTIONS = {
    "GetObject": "GetObject",
    "HeadObject": "GetObject",
    "PutObject": "PutObject",
    "CreateMultipartUpload": "PutObject",
    "UploadPart": "PutObject",
    "CompleteMultipartUpload": "PutObject",
    "AbortMultipartUpload": "AbortMultipartUpload",
    "DeleteObject": "DeleteObject",
}
lock = threading.Lock()


@hooks.on_infra_start()
def decide_by_iam():
    from localstack.aws import handlers

    handlers.serve_custom_service_request_handlers.append(_handle)


@hooks.on_infra_start()
def keep_policies_current():
    """CloudFormation changes a managed policy by another version of it; LocalStack leaves it as it was."""
    from localstack.services.cloudformation.resource_provider import OperationStatus, ProgressEvent
    from localstack.services.iam.resource_providers.aws_iam_managedpolicy import IAMManagedPolicyProvider

    def update(self, request):
        model = {**(request.previous_state or {}), **request.desired_state}
        model["Id"] = f"arn:aws:iam::{request.account_id}:policy/{model['ManagedPolicyName']}"
        document = json.dumps(model["PolicyDocument"])
        request.aws_client_factory.iam.create_policy_version(
            PolicyArn=model["Id"], PolicyDocument=document, SetAsDefault=True
        )
        return ProgressEvent(OperationStatus.SUCCESS, resource_model=model)

    IAMManagedPolicyProvider.update = update


def _handle(chain, context, response):
    role = _role_of(context)
    if role is None or context.service is None or context.service_operation is None:
        return
    service, operation = context.service.service_name, context.operation.name
    deploys = role.role["RoleName"].startswith(EXECUTION_ROLE)
    if service == "logs" and not deploys:  # The stand-in writes the log itself; it asks for the group that is there.
        return
    if (service, operation) in (("sts", "AssumeRole"), ("sts", "GetCallerIdentity"), ("cloudwatch", "PutMetricData")):
        return
    asking = asked_to_deploy if deploys else _asked
    asked = list(asking(context, service, operation, context.service_request or {}))
    refused = [(action, resource) for action, resource in asked if not _may(role, action, resource)]
    with lock:
        if LOG_PATH:
            line = {"role": role.role["RoleName"], "call": f"{service}.{operation}", "asked": asked, "refused": refused}
            with open(LOG_PATH, "a") as log:
                log.write(json.dumps(line) + "\n")
    if refused and MODE == "enforce":
        code = "AccessDenied" if service == "s3" else "AccessDeniedException"
        action, resource = refused[0]
        said = f"{role.role['Arn']} is not authorized to perform: {action} on resource: {resource}"
        raise CommonServiceException(code, said, status_code=403 if service == "s3" else 400)


def _role_of(context):
    from localstack.services.iam.models import iam_stores
    from localstack.services.sts.models import sts_stores
    from localstack.utils.aws.request_context import extract_access_key_id_from_auth_header

    key = extract_access_key_id_from_auth_header(context.request.headers)
    credentials = sts_stores[context.account_id]["us-east-1"].credentials.get(key)
    found = re.search(r":assumed-role/([^/]+)/", credentials.arn) if credentials else None
    if found is None or (found[1].startswith("cdk-") and not found[1].startswith(EXECUTION_ROLE)):
        return None
    return iam_stores[context.account_id]["us-east-1"].ROLES.get(found[1])


def _asked(context, service, operation, given):
    here = f"{context.region}:{context.account_id}"
    if service == "s3":
        bucket = f"arn:aws:s3:::{given.get('Bucket')}"
        if operation in ("ListObjectsV2", "ListObjects"):
            yield "s3:ListBucket", bucket
        elif operation == "DeleteObjects":
            for each in given["Delete"]["Objects"]:
                yield "s3:DeleteObject", f"{bucket}/{each['Key']}"
        else:
            yield f"s3:{S3_ACTIONS.get(operation, operation)}", f"{bucket}/{given.get('Key')}"
            if operation in ("GetObject", "HeadObject") and not _exists(context, given):
                yield "s3:ListBucket", bucket  # Else S3 answers 403, and nobody knows that nothing is there.
    elif service == "secretsmanager":
        name = given.get("SecretId") or given["Name"]
        yield f"secretsmanager:{operation}", name if name.startswith("arn:") else f"arn:aws:secretsmanager:{here}:secret:{name}-aBcDeF"
    elif service == "glue":
        database = given.get("DatabaseName") or given.get("Name")
        table = given.get("TableName") or (given.get("TableInput") or {}).get("Name") or given.get("Name")
        tables = given.get("TablesToDelete") or [table or "any"]
        yield f"glue:{operation}", f"arn:aws:glue:{here}:catalog"
        yield f"glue:{operation}", f"arn:aws:glue:{here}:database/{database}"
        if "Table" in operation or "Partition" in operation:
            for each in tables:
                yield f"glue:{operation}", f"arn:aws:glue:{here}:table/{database}/{each}"
    elif service == "stepfunctions":
        yield f"states:{operation}", given.get("stateMachineArn") or given.get("executionArn")
    elif service == "lambda":
        name = given["FunctionName"]
        arn = name if name.startswith("arn:") else f"arn:aws:lambda:{here}:function:{name}"
        yield "lambda:InvokeFunction" if operation == "Invoke" else f"lambda:{operation}", arn
    elif service == "sqs":
        yield f"sqs:{operation}", f"arn:aws:sqs:{here}:{given['QueueUrl'].rsplit('/', 1)[-1]}"
    elif service == "cloudformation":
        yield f"cloudformation:{operation}", _stack_id(context, given.get("StackName"))
    elif service == "cloudwatch":
        yield f"cloudwatch:{operation}", f"arn:aws:cloudwatch:{here}:alarm:{given.get('AlarmName')}"
    elif service == "athena":
        yield f"athena:{operation}", f"arn:aws:athena:{here}:workgroup/{_workgroup_of(context, given)}"
    elif service == "events":
        yield f"events:{operation}", f"arn:aws:events:{here}:event-bus/default"
    elif service == "sns":
        yield f"sns:{operation}", given.get("TopicArn")
    elif service == "logs":
        group = f"arn:aws:logs:{here}:log-group:{given.get('logGroupName')}"
        yield f"logs:{operation}", f"{group}:log-stream:{given.get('logStreamName')}"
    else:
        yield f"{service}:{operation}", "*"


def _stack_id(context, name):
    from localstack.services.cloudformation.models import get_cloudformation_store

    stacks = get_cloudformation_store(context.account_id, context.region).stacks_v2.values()
    return next((each.stack_id for each in reversed(list(stacks)) if each.stack_name == name), f"stack/{name}")


def _workgroup_of(context, given):
    """Calls about a query name the query alone."""
    from moto.athena.models import athena_backends

    executions = athena_backends[context.account_id][context.region].executions
    execution = executions.get(given.get("QueryExecutionId"))
    return given.get("WorkGroup") or (execution.workgroup.name if execution else "primary")


def _exists(context, given):
    from localstack.services.s3.models import s3_stores

    store = s3_stores[context.account_id]["us-east-1"]
    bucket = store.buckets.get(given["Bucket"])
    return bucket is not None and bucket.objects.get(given["Key"]) is not None


def _may(role, action, resource):
    allowed = False
    for text in _policies_of(role):
        statements = json.loads(text if text.startswith("{") else unquote(text))["Statement"]
        for each in statements if isinstance(statements, list) else [statements]:
            if not (_matches(each["Action"], action) and _matches(each["Resource"], resource)):
                continue
            if each["Effect"] == "Deny":
                return False
            allowed = True
    return allowed


def _policies_of(role):
    """The documents of a role's own policies and of those attached to it."""
    from localstack.services.iam.models import iam_stores

    account = role.role["Arn"].split(":")[4]
    yield from role.inline_policies.values()
    for arn in role.attached_policy_arns:
        entity = iam_stores[account]["us-east-1"].MANAGED_POLICIES[arn]
        yield entity.versions[entity.policy["DefaultVersionId"]]["Document"]


def _matches(patterns, value):
    every = patterns if isinstance(patterns, list) else [patterns]
    return any(re.fullmatch(re.escape(each).replace(r"\*", ".*").replace(r"\?", "."), value) for each in every)
