import { setTimeout as sleep } from 'node:timers/promises';
import {
  AthenaClient,
  type ColumnInfo,
  GetQueryExecutionCommand,
  paginateGetQueryResults,
  StartQueryExecutionCommand,
  StopQueryExecutionCommand,
} from '@aws-sdk/client-athena';
import type { Config } from '#lib/config/config.ts';
import { ExportError, UsageError } from '#lib/errors.ts';
import { QUERY_SECONDS, queryStopped } from '#lib/runtime/query-stopped.ts';
import type { QueryResult } from '#lib/views/open-tables.ts';
import { deployedStack } from './deployed.ts';

const ASK_EVERY_MS = 500;

/** Athena's answer to one statement in the deployed workgroup. Every cell is text, as Athena writes it. */
export async function queryAthena(
  config: Config,
  { sql, limitSeconds = QUERY_SECONDS }: { readonly sql: string; readonly limitSeconds?: number },
): Promise<QueryResult> {
  const output = await deployedStack(config);
  const client = new AthenaClient();
  const context = {
    WorkGroup: output('OperatorsWorkgroup'),
    QueryExecutionContext: { Database: output('Database') },
  };
  const { QueryExecutionId } = await client.send(
    new StartQueryExecutionCommand({ QueryString: sql, ...context }),
  );
  for (let waitedMs = 0; !(await hasEnded(client, QueryExecutionId)); waitedMs += ASK_EVERY_MS) {
    if (waitedMs + ASK_EVERY_MS > limitSeconds * 1000) {
      await client.send(new StopQueryExecutionCommand({ QueryExecutionId }));
      throw queryStopped(limitSeconds);
    }
    await sleep(ASK_EVERY_MS);
  }
  const rows: (string | null)[][] = [];
  let found: readonly ColumnInfo[] = [];
  for await (const { ResultSet } of paginateGetQueryResults({ client }, { QueryExecutionId })) {
    found = ResultSet?.ResultSetMetadata?.ColumnInfo ?? [];
    for (const { Data = [] } of ResultSet?.Rows ?? [])
      rows.push(Data.map((cell) => cell.VarCharValue ?? null));
  }
  const columns = found.map(({ Name = '' }) => Name);
  // The first row of a SELECT's first page repeats the names of the columns.
  const isHead = rows[0]?.every((cell, index) => cell === columns[index]) === true;
  return { columns, types: found.map(({ Type = '' }) => Type), rows: isHead ? rows.slice(1) : rows };
}

async function hasEnded(client: AthenaClient, QueryExecutionId: string | undefined): Promise<boolean> {
  const { QueryExecution } = await client.send(new GetQueryExecutionCommand({ QueryExecutionId }));
  const { State, StateChangeReason: reason = '' } = QueryExecution?.Status ?? {};
  if (State === 'FAILED') {
    // Lake Formation, and not the query, may be the cause.
    const cure = reason.includes('Lake Formation')
      ? '. Add the role or user of this query to lakeFormation.readers in the config, and deploy.'
      : '';
    throw new UsageError(`${reason}${cure}`, 'QUERY_INVALID');
  }
  const message = `Athena stopped the query (${reason}): if it reads more than the workgroup allows, add a WHERE on export_date.`;
  if (State === 'CANCELLED') throw new ExportError({ code: 'QUERY_STOPPED', message });
  return State === 'SUCCEEDED';
}
