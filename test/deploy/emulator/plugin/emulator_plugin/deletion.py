"""
RetainExceptOnCreate: what a later template no longer has stays, as with Retain; LocalStack takes it for Delete. A stack
that goes loses it here, which AWS keeps: the emulator does not roll back a failed create otherwise.
"""
from localstack.runtime import hooks


@hooks.on_infra_start()
def keep_what_an_update_leaves_out():
    from localstack.aws.api.cloudformation import StackStatus
    from localstack.services.cloudformation.engine.v2.change_set_model import is_nothing
    from localstack.services.cloudformation.engine.v2.change_set_model_executor import (
        ChangeSetModelExecutor,
        DeletionPolicy,
    )
    from localstack.utils.patch import patch

    @patch(ChangeSetModelExecutor._execute_resource_change)
    def execute_resource_change(fn, self, name, before, after):
        goes = not is_nothing(before) and is_nothing(after)
        is_update = self._change_set.stack.status != StackStatus.DELETE_IN_PROGRESS
        if goes and is_update and before.deletion_policy == DeletionPolicy.RetainExceptOnCreate:
            before.deletion_policy = DeletionPolicy.Retain
        return fn(self, name, before, after)
