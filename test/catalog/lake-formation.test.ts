import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GlueClient } from '@aws-sdk/client-glue';
import { expect, test } from 'vitest';
import { queryAthena } from '#cli/query-athena.ts';
import { glueCatalog } from '#lib/aws/glue-catalog.ts';
import { labConfig } from '../support/export-lab.ts';

/** As Glue and Athena say it where Lake Formation governs the catalog and gave no grant. */
const REFUSAL = 'Insufficient Lake Formation permission(s): Required Describe on signage';

const OUTPUTS = [
  'Lake',
  'OperateMachineArn',
  'StartFunction',
  'ListFunction',
  'Database',
  'OperatorsWorkgroup',
]
  .map((key) => `<member><OutputKey>${key}</OutputKey><OutputValue>signage</OutputValue></member>`)
  .join('');
const STACK = `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks><member><StackName>lab</StackName><StackStatus>CREATE_COMPLETE</StackStatus><CreationTime>2026-11-20T03:00:00Z</CreationTime><Outputs>${OUTPUTS}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;

/** Answers by the operation's name, each with its status. */
const ANSWERS: Readonly<Record<string, readonly [status: number, body: object]>> = {
  'AWSGlue.GetTables': [400, { __type: 'AccessDeniedException', Message: REFUSAL }],
  'AWSGlue.BatchCreatePartition': [
    200,
    {
      Errors: [
        {
          PartitionValues: ['2026-11-20'],
          ErrorDetail: { ErrorCode: 'AccessDeniedException', ErrorMessage: REFUSAL },
        },
      ],
    },
  ],
  'AmazonAthena.StartQueryExecution': [200, { QueryExecutionId: '1' }],
  'AmazonAthena.GetQueryExecution': [
    200,
    { QueryExecution: { Status: { State: 'FAILED', StateChangeReason: REFUSAL } } },
  ],
};

async function governedAccount() {
  const server = createServer((request, response) => {
    const operation = request.headers['x-amz-target'];
    const [status, body] = ANSWERS[String(operation)] ?? [200, STACK];
    response.writeHead(status, {
      'content-type': body === STACK ? 'text/xml' : 'application/x-amz-json-1.1',
    });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
    request.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const environment = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
  const before = { ...process.env };
  Object.assign(process.env, environment);
  return {
    [Symbol.asyncDispose]: async () => {
      for (const name of Object.keys(environment)) delete process.env[name];
      Object.assign(process.env, before);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const table = {
  name: 'screens',
  description: '',
  columns: [],
  location: 's3://lake/tables/screens/',
  isDaily: true,
  fingerprint: '1',
};

test('a catalog that Lake Formation governs says so, with the setting that grants', async () => {
  await using _ = await governedAccount();
  const catalog = glueCatalog('signage', { client: new GlueClient({ maxAttempts: 1 }) });
  const refused = {
    code: 'CATALOG_SYNC_FAILED',
    message: expect.stringContaining('Lake Formation governs this catalog: set lakeFormation in the config'),
  };
  await expect(catalog.tables()).rejects.toMatchObject(refused);
  const partition = { date: '2026-11-20', location: `${table.location}date=2026-11-20/`, fingerprint: '1' };
  await expect(catalog.addPartitions(table, [partition])).rejects.toMatchObject(refused);
});

test('a query that Lake Formation refuses says whom to grant', async () => {
  await using _ = await governedAccount();
  await expect(
    queryAthena(labConfig('https://signage.example.com'), { sql: 'select 1' }),
  ).rejects.toMatchObject({
    code: 'QUERY_INVALID',
    message: `${REFUSAL}. Add the role or user of this query to lakeFormation.readers in the config, and deploy.`,
  });
});
