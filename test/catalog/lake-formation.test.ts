import { GlueClient } from '@aws-sdk/client-glue';
import { afterEach, expect, test, vi } from 'vitest';
import { queryAthena } from '#cli/query-athena.ts';
import { glueCatalog } from '#lib/aws/glue-catalog.ts';
import { labConfig } from '../support/export-lab.ts';
import { labStack } from '../support/lab-stack.ts';

/** As Glue and Athena say it where Lake Formation governs the catalog and gave no grant. */
const REFUSAL = 'Insufficient Lake Formation permission(s): Required Describe on signage';

/** An account that Lake Formation governs. */
const governedAccount = () =>
  labStack('s3://lake', {
    GetTables: () => ({ __type: 'AccessDeniedException', Message: REFUSAL }),
    BatchCreatePartition: () => ({
      Errors: [
        {
          PartitionValues: ['2026-11-20'],
          ErrorDetail: { ErrorCode: 'AccessDeniedException', ErrorMessage: REFUSAL },
        },
      ],
    }),
    StartQueryExecution: () => ({ QueryExecutionId: '1' }),
    GetQueryExecution: () => ({
      QueryExecution: { Status: { State: 'FAILED', StateChangeReason: REFUSAL } },
    }),
  });
afterEach(() => vi.unstubAllEnvs());

const location = 's3://lake/tables/screens/';
const table = { name: 'screens', description: '', columns: [], location, isDaily: true, fingerprint: '1' };

test('a catalog that Lake Formation governs says so, with the setting that grants', async () => {
  await using _ = await governedAccount();
  const catalog = glueCatalog('signage', { client: new GlueClient({ maxAttempts: 1 }) });
  const refused = {
    code: 'CATALOG_SYNC_FAILED',
    message: expect.stringContaining('Lake Formation governs this catalog: set lakeFormation in the config'),
  };
  await expect(catalog.tables()).rejects.toMatchObject(refused);
  const partition = { date: '2026-11-20', location: `${table.location}date=2026-11-20/`, fingerprint: '1' };
  await expect(catalog.putPartitions(table, [partition])).rejects.toMatchObject(refused);
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
