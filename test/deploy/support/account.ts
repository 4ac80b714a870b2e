import {
  CreatePartitionCommand,
  CreateTableCommand,
  DeletePartitionCommand,
  DeleteTableCommand,
  GetPartitionsCommand,
  GetTableCommand,
  GetTablesCommand,
  GlueClient,
  UpdatePartitionCommand,
  UpdateTableCommand,
} from '@aws-sdk/client-glue';
import { type Emulator, REGION } from './emulator.ts';
import type { Installation } from './installation.ts';

/** What the letters in the stack's queue say. */
export async function deadLetters(emulator: Emulator, stack: Installation): Promise<readonly unknown[]> {
  const url = await physicalId(stack, 'PipelineDeadLetters');
  const { Messages = [] } = await emulator.aws(
    ...['sqs', 'receive-message', '--queue-url', url, '--visibility-timeout', '0'],
  );
  return Messages.map(({ Body }: { readonly Body: string }) => JSON.parse(Body));
}

/** Takes an action out of the policies of the role whose logical id begins so; it has it again when the scope ends. */
export async function takeAway(
  emulator: Emulator,
  stack: Installation,
  { role, action }: { readonly role: string; readonly action: string },
): Promise<AsyncDisposable> {
  const of = ['--role-name', await physicalId(stack, role)];
  const { PolicyNames } = await emulator.aws('iam', 'list-role-policies', ...of);
  const policies: (readonly [named: readonly string[], document: PolicyDocument])[] = [];
  for (const name of PolicyNames as readonly string[]) {
    const named = [...of, '--policy-name', name];
    policies.push([named, (await emulator.aws('iam', 'get-role-policy', ...named)).PolicyDocument]);
  }
  const put = async (documentOf: (document: PolicyDocument) => PolicyDocument) => {
    for (const [named, document] of policies) {
      const text = JSON.stringify(documentOf(document));
      await emulator.aws('iam', 'put-role-policy', ...named, '--policy-document', text);
    }
  };
  await put((document) => {
    const left = document.Statement.map((statement) => ({
      ...statement,
      Action: [statement.Action].flat().filter((each) => each !== action),
    }));
    return { ...document, Statement: left.filter(({ Action }) => Action.length > 0) };
  });
  return { [Symbol.asyncDispose]: () => put((document) => document) };
}

/** Whether a sweep has asked for anything since so many decisions: it collects what a batch has lost for good. */
export async function hasSwept(emulator: Emulator, stack: Installation, from: number): Promise<boolean> {
  const sweep = await physicalId(stack, 'PipelineSweepRole');
  return (await emulator.decisions()).slice(from).some(({ role }) => role === sweep);
}

interface PolicyDocument {
  readonly Statement: readonly { readonly Action: string | readonly string[] }[];
}

const glueOf = ({ url }: Emulator) =>
  new GlueClient({
    endpoint: url,
    region: REGION,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });

/** Tables and partitions of a database, each with where it lies and its columns. */
export async function catalogOf(
  emulator: Emulator,
  DatabaseName: string,
): Promise<Readonly<Record<string, unknown>>> {
  const glue = glueOf(emulator);
  const tables: Record<string, unknown> = {};
  const { TableList = [] } = await glue.send(new GetTablesCommand({ DatabaseName }));
  for (const { Name = '', StorageDescriptor, PartitionKeys = [] } of TableList) {
    const { Partitions = [] } =
      PartitionKeys.length === 0
        ? {}
        : await glue.send(new GetPartitionsCommand({ DatabaseName, TableName: Name }));
    tables[Name] = {
      columns: StorageDescriptor?.Columns,
      location: StorageDescriptor?.Location,
      partitions: Partitions.map((each) => [each.Values, each.StorageDescriptor?.Location].join(' ')).sort(),
    };
  }
  return tables;
}

/** What tells tables of the export from others, which it leaves alone; of no state that it was ever in. */
const OURS = { signage_export_print: 'other' };

/** Leaves little of a catalog as it was: a table goes, one comes, one is elsewhere, and so with a table's partitions. */
export async function disturbCatalog(emulator: Emulator, DatabaseName: string): Promise<void> {
  const glue = glueOf(emulator);
  const elsewhere = { Location: 's3://elsewhere/' };
  await glue.send(new DeleteTableCommand({ DatabaseName, Name: 'screens' }));
  const nobodys = { Name: 'nobodys', StorageDescriptor: elsewhere, Parameters: OURS };
  await glue.send(new CreateTableCommand({ DatabaseName, TableInput: nobodys }));
  const { Table } = await glue.send(new GetTableCommand({ DatabaseName, Name: 'players' }));
  const { TableType, StorageDescriptor } = Table ?? {};
  const descriptor = { ...StorageDescriptor, ...elsewhere };
  const moved = { Name: 'players', TableType, Parameters: OURS, StorageDescriptor: descriptor };
  await glue.send(new UpdateTableCommand({ DatabaseName, TableInput: moved }));
  const daily = { DatabaseName, TableName: 'players_daily' };
  const { Partitions = [] } = await glue.send(new GetPartitionsCommand(daily));
  const [first, second] = Partitions.map(({ Values = [], StorageDescriptor: at }) => ({
    Values,
    Parameters: OURS,
    StorageDescriptor: { ...at, ...elsewhere },
  }));
  if (first === undefined || second === undefined) throw new Error('players_daily has no two days yet.');
  const unknown = { ...first, Values: ['1999-01-01'] };
  await glue.send(new CreatePartitionCommand({ ...daily, PartitionInput: unknown }));
  const changed = { PartitionValueList: first.Values, PartitionInput: first };
  await glue.send(new UpdatePartitionCommand({ ...daily, ...changed }));
  await glue.send(new DeletePartitionCommand({ ...daily, PartitionValues: second.Values }));
}

async function physicalId(stack: Installation, logicalId: string): Promise<string> {
  const found = [...(await stack.physicalIds())].filter(([id]) =>
    new RegExp(`^${logicalId}[0-9A-F]{8}$`).test(id),
  );
  const [[, physical] = []] = found;
  if (physical === undefined) throw new Error(`${stack.name} has no resource ${logicalId}.`);
  return physical;
}
