import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { errorName } from '../errors.ts';
import type { Executions } from '../run/payloads.ts';

/** The executions of a state machine. */
export function stepFunctionsExecutions(stateMachineArn: string): Executions {
  const client = new SFNClient();
  const arnOf = (name: string) => `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
  return {
    arnOf,
    stateOf: async (executionArn) => {
      try {
        const { status } = await client.send(new DescribeExecutionCommand({ executionArn }));
        return status === 'RUNNING' || status === 'PENDING_REDRIVE' ? 'running' : 'ended';
      } catch (error) {
        if (errorName(error) === 'ExecutionDoesNotExist') return 'missing';
        throw error;
      }
    },
    start: async (name, input) => {
      const answer = await client.send(
        new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }),
      );
      return answer.executionArn ?? arnOf(name);
    },
  };
}

export type ExecutionReport = Awaited<ReturnType<typeof describeExecution>>;

/** The status of an execution, the newest state that it entered, its error, and its output if it succeeded, as JSON. */
export async function describeExecution(executionArn: string) {
  const client = new SFNClient();
  const described = await client.send(new DescribeExecutionCommand({ executionArn }));
  const { status = 'UNKNOWN', error, cause, output } = described;
  const history = await client.send(
    new GetExecutionHistoryCommand({ executionArn, reverseOrder: true, maxResults: 100 }),
  );
  const entered = history.events?.find(({ stateEnteredEventDetails }) => stateEnteredEventDetails);
  return { status, state: entered?.stateEnteredEventDetails?.name, error, cause, output };
}
