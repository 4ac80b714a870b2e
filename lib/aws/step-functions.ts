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

export interface ExecutionReport {
  readonly status: string;
  /** The newest state that it entered. */
  readonly state: string | undefined;
  readonly error: string | undefined;
  readonly cause: string | undefined;
  /** JSON; undefined unless the execution succeeded. */
  readonly output: string | undefined;
}

/** The status of an execution, its state, its output and its error. */
export async function describeExecution(executionArn: string): Promise<ExecutionReport> {
  const client = new SFNClient();
  const described = await client.send(new DescribeExecutionCommand({ executionArn }));
  const { status = 'UNKNOWN', error, cause, output } = described;
  const history = await client.send(
    new GetExecutionHistoryCommand({ executionArn, reverseOrder: true, maxResults: 100 }),
  );
  const entered = history.events?.find(({ stateEnteredEventDetails }) => stateEnteredEventDetails);
  return { status, state: entered?.stateEnteredEventDetails?.name, error, cause, output };
}
