"""
Resource types that LocalStack's open CloudFormation does not have: each is one call of an API. moto has no calls that
change a workgroup or a query, so an update of these is taken for done; nor has it one that deletes a query.
"""
import json

from localstack.services.cloudformation.resource_provider import (
    CloudFormationResourceProviderPlugin,
    OperationStatus,
    ProgressEvent,
    ResourceProvider,
)


def _plugin(type_name, primary, create, delete, read_only=(), update=None):
    class Provider(ResourceProvider):
        TYPE = type_name
        SCHEMA = {
            "typeName": type_name,
            "primaryIdentifier": [f"/properties/{primary}"],
            "readOnlyProperties": [f"/properties/{each}" for each in read_only],
            "properties": {},
        }

        def create(self, request):
            model = request.desired_state
            model.update(create(request.aws_client_factory, model, request) or {})
            return ProgressEvent(OperationStatus.SUCCESS, resource_model=model)

        def update(self, request):
            model = {**(request.previous_state or {}), **request.desired_state}
            if update is not None:
                update(request.aws_client_factory, model, request)
            return ProgressEvent(OperationStatus.SUCCESS, resource_model=model)

        def delete(self, request):
            delete(request.aws_client_factory, request.desired_state)
            return ProgressEvent(OperationStatus.SUCCESS, resource_model=request.desired_state)

    class ProviderPlugin(CloudFormationResourceProviderPlugin):
        name = type_name

        def __init__(self):
            self.factory = None

        def load(self):
            self.factory = Provider

    return ProviderPlugin


def _create_database(aws, model, request):
    aws.glue.create_database(DatabaseInput=model["DatabaseInput"])
    return {"DatabaseName": model["DatabaseInput"]["Name"]}


def _create_workgroup(aws, model, request):
    known = {key: model[key] for key in ("Name", "Description", "Tags") if key in model}
    aws.athena.create_work_group(**known, Configuration=model["WorkGroupConfiguration"])


def _create_query(aws, model, request):
    known = ("Name", "Description", "Database", "QueryString", "WorkGroup")
    answer = aws.athena.create_named_query(**{key: model[key] for key in known if key in model})
    return {"NamedQueryId": answer["NamedQueryId"]}


def _create_dashboard(aws, model, request):
    json.loads(model["DashboardBody"])
    name = model.setdefault("DashboardName", f"{request.stack_name}-{request.logical_resource_id}")
    answer = aws.cloudwatch.put_dashboard(DashboardName=name, DashboardBody=model["DashboardBody"])
    assert not answer.get("DashboardValidationMessages"), answer


GlueDatabase = _plugin(
    "AWS::Glue::Database",
    "DatabaseName",
    _create_database,
    lambda aws, model: aws.glue.delete_database(Name=model["DatabaseName"]),
    read_only=["DatabaseName"],
)
AthenaWorkGroup = _plugin(
    "AWS::Athena::WorkGroup",
    "Name",
    _create_workgroup,
    lambda aws, model: aws.athena.delete_work_group(WorkGroup=model["Name"], RecursiveDeleteOption=True),
)
AthenaNamedQuery = _plugin(
    "AWS::Athena::NamedQuery",
    "NamedQueryId",
    _create_query,
    lambda aws, model: None,
    read_only=["NamedQueryId"],
)
Dashboard = _plugin(
    "AWS::CloudWatch::Dashboard",
    "DashboardName",
    _create_dashboard,
    lambda aws, model: aws.cloudwatch.delete_dashboards(DashboardNames=[model["DashboardName"]]),
    update=_create_dashboard,
)
