"""
A stack is deleted as far as it was created, and stands as DELETE_IN_PROGRESS until that has ended. LocalStack deletes
the whole template: each resource that a failed deployment never created fails, and the stack stands as DELETE_FAILED
for a moment, where CDK gives up. In the end LocalStack says DELETE_COMPLETE, whatever has failed. What is retained but
where its creation failed is retained here too; LocalStack deletes it.
"""
from dataclasses import replace

from localstack.runtime import hooks


@hooks.on_infra_start()
def delete_what_was_created():
    from localstack.aws.api.cloudformation import ResourceStatus, StackStatus
    from localstack.services.cloudformation.engine.v2.change_set_model_executor import ChangeSetModelExecutor
    from localstack.services.cloudformation.v2.entities import ChangeSet
    from localstack.utils.patch import patch

    @patch(ChangeSet.compute_update_model)
    def compute_update_model(fn, self, inputs):
        template = inputs.before_template
        if inputs.after_template is not None or template is None:
            return fn(self, inputs)
        created = {
            event["LogicalResourceId"]
            for event in self.stack.events
            if event["ResourceStatus"] == ResourceStatus.CREATE_COMPLETE
        }
        resources = {name: each for name, each in template["Resources"].items() if name in created}
        if self.stack.stack_name in created:
            resources = {name: _retained(each) for name, each in resources.items()}
        # An output may speak of a resource that was never created.
        return fn(self, replace(inputs, before_template={**template, "Resources": resources, "Outputs": {}}))

    @patch(ChangeSetModelExecutor.execute)
    def execute(fn, self):
        stack = self._change_set.stack
        if stack.status != StackStatus.DELETE_IN_PROGRESS:
            return fn(self)
        # Each resource that fails would set it, and so would the end.
        stack.set_stack_status = lambda status, reason=None: None
        try:
            result = fn(self)
        finally:
            del stack.set_stack_status
        failed = [
            name for name, each in self.resources.items() if each.get("ResourceStatus") == ResourceStatus.DELETE_FAILED
        ]
        # Whoever began the deletion takes this for DELETE_FAILED.
        if result.failure_message or failed:
            raise RuntimeError(f"{', '.join(failed)} {result.failure_message or ''}")
        return result


def _retained(resource):
    policy = resource.get("DeletionPolicy")
    return {**resource, "DeletionPolicy": "Retain"} if policy == "RetainExceptOnCreate" else resource
