export type ExecutionState = 'running' | 'ended' | 'missing';

/** The executions of the deployed state machine. */
export interface Executions {
  arnOf(name: string): string;
  stateOf(arn: string): Promise<ExecutionState>;
  /** Gives the ARN. The same name and input again give the same execution while it runs. */
  start(name: string, input: unknown): Promise<string>;
}
