import { answeringAws } from '../cli/support.ts';

/** What AWS answers, by operation; `Invoke` is that of Lambda. A body with `__type` is an error. */
export type AwsAnswers = Readonly<Record<string, (asked: Asked) => object | Promise<object>>>;

type Asked = Readonly<Record<'name' | 'input' | 'executionArn' | 'NextToken', string>>;

/** The machine of the operator's commands. */
export const MACHINE = 'arn:aws:states:us-east-1:123456789012:stateMachine:lab-operate';

/** An account that has the stack `lab` with that lake, and answers so. @see vi.unstubAllEnvs, which ends it */
export async function labStack(lake: string, answers: AwsAnswers): Promise<AsyncDisposable> {
  const outputs = {
    ...{ Lake: lake, OperateMachineArn: MACHINE, StartFunction: 'lab-start', ListFunction: 'lab-list' },
    ...{ Database: 'signage', OperatorsWorkgroup: 'lab' },
  };
  const memberOf = ([key, value]: readonly [string, string]) =>
    `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`;
  const members = Object.entries(outputs).map(memberOf).join('');
  const stack = `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks><member><StackName>lab</StackName><StackStatus>CREATE_COMPLETE</StackStatus><CreationTime>2026-11-20T03:00:00Z</CreationTime><Outputs>${members}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
  return await answeringAws(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const target = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const answer = answers[request.url?.includes('/functions/') === true ? 'Invoke' : target];
    if (answer === undefined) return void response.end(stack);
    const said = await answer(JSON.parse(body));
    response.writeHead('__type' in said ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(said));
  });
}
