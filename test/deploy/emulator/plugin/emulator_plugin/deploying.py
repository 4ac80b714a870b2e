"""
A stack is deployed by the role that CDK's bootstrap made for CloudFormation, once that role has policies of its own.
LocalStack does it as an administrator, whatever the role. What it calls is less than what CloudFormation calls: it
reads nothing after it was made, and tags little.
"""
from uuid import uuid4

from localstack.runtime import hooks

EXECUTION_ROLE = "cdk-hnb659fds-cfn-exec-role-"
# LocalStack empties a bucket that it deletes. CloudFormation does not.
EMPTIES = ("s3:DeleteObject", "s3:DeleteObjects", "s3:ListObjectVersions", "s3:ListObjectsV2")
# IAM's name of an action, where it is not the call's.
ACTIONS = {
    "s3:DeleteBucketEncryption": "s3:PutEncryptionConfiguration",
    "s3:DeleteBucketLifecycle": "s3:PutLifecycleConfiguration",
    "s3:DeletePublicAccessBlock": "s3:PutBucketPublicAccessBlock",
    "s3:HeadBucket": "s3:ListBucket",
    "s3:PutBucketEncryption": "s3:PutEncryptionConfiguration",
    "s3:PutBucketLifecycleConfiguration": "s3:PutLifecycleConfiguration",
    "s3:PutPublicAccessBlock": "s3:PutBucketPublicAccessBlock",
}
# Of each service the fields that name what a call is about, and what an ARN has before and behind that name.
NAMED = {
    "athena": (("WorkGroup", "Name"), "workgroup/"),
    "cloudwatch": (("AlarmName", "AlarmNames"), "alarm:"),
    "events": (("Rule", "Name"), "rule/"),
    "lambda": (("FunctionName",), "function:"),
    "logs": (("logGroupName",), "log-group:"),
    "scheduler": (("Name",), "schedule/default/"),
    "sns": (("TopicArn", "SubscriptionArn", "ResourceArn", "Name"), ""),
    "sqs": (("QueueUrl", "QueueName"), ""),
    "stepfunctions": (("stateMachineArn", "name"), "stateMachine:"),
}


@hooks.on_infra_start()
def deploy_by_the_role():
    from localstack.services.cloudformation.engine.v2.change_set_model_executor import ChangeSetModelExecutor
    from localstack.utils.patch import patch

    @patch(ChangeSetModelExecutor.create_resource_provider_payload)
    def create_resource_provider_payload(fn, self, *args, **kwargs):
        payload = fn(self, *args, **kwargs)
        data = payload["requestData"]
        if payload["resourceType"] == "AWS::SNS::Topic" and data["previousResourceProperties"] is None:
            # CloudFormation has the stack's name in a topic's; LocalStack has not.
            name = f"{payload['stackId']}-{data['logicalResourceId']}-{uuid4().hex[:12]}"
            data["resourceProperties"] = {"TopicName": name, **data["resourceProperties"]}
        credentials = _credentials(self._change_set.stack)
        if credentials is not None:
            data.update(callerCredentials=credentials, providerCredentials=credentials)
        return payload


def _credentials(stack):
    from localstack.aws.connect import connect_to
    from localstack.services.iam.models import iam_stores

    if stack.stack_name == "CDKToolkit":
        return None
    roles = iam_stores[stack.account_id]["us-east-1"].ROLES
    role = next((each for name, each in roles.items() if name.startswith(EXECUTION_ROLE)), None)
    if role is None or any(arn.endswith(":policy/AdministratorAccess") for arn in role.attached_policy_arns):
        return None
    sts = connect_to(aws_access_key_id=stack.account_id, region_name=stack.region_name).sts
    made = sts.assume_role(RoleArn=role.role["Arn"], RoleSessionName="cloudformation")["Credentials"]
    return {
        "accessKeyId": made["AccessKeyId"],
        "secretAccessKey": made["SecretAccessKey"],
        "sessionToken": made["SessionToken"],
    }


def asked_to_deploy(context, service, operation, given):
    """What IAM asks for a call by which a resource is made, changed or removed."""
    here = f"{context.region}:{context.account_id}"
    prefix = "states" if service == "stepfunctions" else service
    if f"{service}:{operation}" in EMPTIES:
        return
    action = ACTIONS.get(f"{service}:{operation}", f"{prefix}:{operation}")
    for passed in (given.get("Role"), given.get("roleArn"), (given.get("Target") or {}).get("RoleArn")):
        if passed is not None:
            yield "iam:PassRole", passed
    if service == "iam":
        named = given.get("PolicyArn") or given.get("RoleName") or given.get("PolicyName")
        kind = "role" if "RoleName" in given else "policy"
        yield action, named if named.startswith("arn:") else f"arn:aws:iam::{context.account_id}:{kind}/{named}"
    elif service == "s3":
        yield action, f"arn:aws:s3:::{given['Bucket']}"
    elif service == "glue":
        yield action, f"arn:aws:glue:{here}:catalog"
        yield action, f"arn:aws:glue:{here}:database/{given.get('Name') or given['DatabaseInput']['Name']}"
    elif service == "cloudwatch" and "Dashboard" in operation:
        for name in given.get("DashboardNames") or [given["DashboardName"]]:
            yield action, f"arn:aws:cloudwatch::{context.account_id}:dashboard/{name}"
    elif service in NAMED:
        fields, before = NAMED[service]
        found = next((given[each] for each in fields if given.get(each)), "*")
        for name in found if isinstance(found, list) else [found]:
            last = name.rsplit("/", 1)[-1] if service == "sqs" else name
            yield action, last if last.startswith("arn:") else f"arn:aws:{prefix}:{here}:{before}{last}"
    else:
        yield action, "*"
