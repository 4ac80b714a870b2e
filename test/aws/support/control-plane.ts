import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { CloudFormationClient, CreateStackCommand } from '@aws-sdk/client-cloudformation';
import type { Deployment } from './deployment.ts';
import type { MotoStandIn } from './moto.ts';
import { CREDENTIALS, REGION } from './s3.ts';
import type { TrinoAnswer, TrinoStandIn } from './trino.ts';

export interface ControlPlane extends AsyncDisposable {
  /** What a process needs in its environment to take it for AWS. */
  readonly environment: Readonly<Record<string, string>>;
}

interface Execution {
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED';
  state: string;
  error?: string;
}

type Call = (input: Readonly<Record<string, unknown>>) => unknown;

/** Rows of a page of Athena's answer; as few, for a test to see more than one page. */
const PAGE_ROWS = 50;

/**
 * A deployment as the command line sees it: CloudFormation is moto's. Lambda, Step Functions and Athena, as far as it
 * calls them, are the deployment's start function, the interpreter and Trino.
 */
export async function controlPlane(options: {
  readonly deployment: Deployment;
  readonly moto: MotoStandIn;
  readonly trino: TrinoStandIn;
  readonly outputs: Readonly<Record<string, string>>;
  readonly stack: string;
}): Promise<ControlPlane> {
  const { deployment, moto, trino, outputs, stack } = options;
  const executions = new Map<string, Execution>();
  const queries = new Map<string, TrinoAnswer | Error>();

  const invoke: Call = async (event) => {
    const started = (await deployment.invoke('start', event)) as { kind: string; execution?: string };
    if (started.kind === 'started' && started.execution !== undefined) begin(started.execution);
    return started;
  };
  const begin = (arn: string): void => {
    const execution: Execution = { status: 'RUNNING', state: 'Sources' };
    executions.set(arn, execution);
    const before = async (stage: string) => {
      execution.state = stage;
    };
    deployment.execute(arn, { before }).then(
      () => {
        execution.status = 'SUCCEEDED';
      },
      (error: unknown) => {
        execution.status = 'FAILED';
        execution.error = error instanceof Error ? error.name : String(error);
      },
    );
  };
  const calls: Readonly<Record<string, Call>> = {
    'AWSStepFunctions.DescribeExecution': ({ executionArn }) => executions.get(String(executionArn)),
    'AWSStepFunctions.GetExecutionHistory': ({ executionArn }) => ({
      events: [{ stateEnteredEventDetails: { name: executions.get(String(executionArn))?.state } }],
    }),
    'AmazonAthena.StartQueryExecution': async ({ QueryString, QueryExecutionContext }) => {
      const { Database } = QueryExecutionContext as { Database: string };
      const QueryExecutionId = String(queries.size);
      queries.set(QueryExecutionId, await trino.query(String(QueryString), Database).catch((error) => error));
      return { QueryExecutionId };
    },
    'AmazonAthena.GetQueryExecution': ({ QueryExecutionId }) => {
      const answer = queries.get(String(QueryExecutionId));
      return answer instanceof Error
        ? { QueryExecution: { Status: { State: 'FAILED', StateChangeReason: answer.message } } }
        : { QueryExecution: { Status: { State: 'SUCCEEDED' } } };
    },
    'AmazonAthena.GetQueryResults': ({ QueryExecutionId, NextToken }) =>
      resultPage(queries.get(String(QueryExecutionId)) as TrinoAnswer, Number(NextToken ?? 0)),
  };
  const server = createServer(async (request, response) => {
    const call = request.url?.includes('/functions/') === true ? invoke : calls[targetOf(request)];
    const answer = await call?.((await json(request)) as Record<string, unknown>);
    response.writeHead(call === undefined ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { message: `${targetOf(request)} is not of this stand-in` }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment = {
    ...CREDENTIALS,
    AWS_REGION: REGION,
    AWS_ENDPOINT_URL: moto.url,
    AWS_ENDPOINT_URL_LAMBDA: url,
    AWS_ENDPOINT_URL_SFN: url,
    AWS_ENDPOINT_URL_ATHENA: url,
  };
  await createStack({ moto, stack, outputs });
  return {
    environment,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const targetOf = (request: IncomingMessage) => String(request.headers['x-amz-target']);

/** A page as Athena writes it: all is text, and the first row of the first page has the names. */
function resultPage({ columns, rows }: TrinoAnswer, from: number): unknown {
  const cells = [columns.map(({ name }) => name), ...rows.map((row) => row.map(textOf))];
  const page = cells.slice(from, from + PAGE_ROWS);
  return {
    ResultSet: {
      ResultSetMetadata: { ColumnInfo: columns.map(({ name, type }) => ({ Name: name, Type: type })) },
      Rows: page.map((row) => ({
        Data: row.map((cell) => (cell === null ? {} : { VarCharValue: cell })),
      })),
    },
    ...(from + PAGE_ROWS < cells.length && { NextToken: String(from + PAGE_ROWS) }),
  };
}

const textOf = (cell: unknown) => (cell === null || cell === undefined ? null : String(cell));

async function createStack(options: {
  readonly moto: MotoStandIn;
  readonly stack: string;
  readonly outputs: Readonly<Record<string, string>>;
}): Promise<void> {
  const client = new CloudFormationClient({
    endpoint: options.moto.url,
    region: REGION,
    credentials: {
      accessKeyId: CREDENTIALS.AWS_ACCESS_KEY_ID,
      secretAccessKey: CREDENTIALS.AWS_SECRET_ACCESS_KEY,
    },
  });
  const Outputs = Object.fromEntries(Object.entries(options.outputs).map(([key, Value]) => [key, { Value }]));
  const Resources = { Topic: { Type: 'AWS::SNS::Topic' } };
  await client.send(
    new CreateStackCommand({
      StackName: options.stack,
      TemplateBody: JSON.stringify({ Resources, Outputs }),
    }),
  );
}
