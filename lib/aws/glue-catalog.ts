import { once } from 'node:events';
import {
  BatchCreatePartitionCommand,
  BatchDeletePartitionCommand,
  BatchDeleteTableCommand,
  BatchUpdatePartitionCommand,
  CreateTableCommand,
  GlueClient,
  type PartitionError,
  paginateGetPartitions,
  paginateGetTables,
  UpdateTableCommand,
} from '@aws-sdk/client-glue';
import type { Catalog, CatalogPartition } from '../catalog/catalog.ts';
import { ExportError, errorName } from '../errors.ts';
import { PRINT, partitionInput, tableInput } from './glue-inputs.ts';

/** @see https://docs.aws.amazon.com/glue/latest/webapi/API_BatchCreatePartition.html and its neighbours */
const MOST = { put: 100, deleted: 25, tables: 100, read: 1000 } as const;

interface GlueOptions {
  readonly client?: GlueClient;
  /** Once it aborts, no further call is made or waited for. */
  readonly signal?: AbortSignal;
}

/** A Glue database. Athena, Trino, Spark and Redshift Spectrum read what is in it. */
export function glueCatalog(
  database: string,
  { client = new GlueClient({ maxAttempts: 8 }), signal }: GlueOptions = {},
): Catalog {
  const inDatabase = { DatabaseName: database };
  const end = signal && once(signal, 'abort').then(() => Promise.reject(signal.reason));
  end?.catch(() => {});
  const guarded = async <Answer>(
    what: string,
    call: () => Promise<Answer>,
    isFine = '',
  ): Promise<Answer | undefined> => {
    try {
      signal?.throwIfAborted();
      return await (end === undefined ? call() : Promise.race([call(), end]));
    } catch (cause) {
      if (errorName(cause) === isFine) return undefined;
      throw cause instanceof ExportError ? cause : syncFailed(database, what, errorName(cause), cause);
    }
  };
  const check = (what: string, errors: readonly PartitionError[] | undefined, isFine: string): void => {
    const [first] = (errors ?? []).filter(({ ErrorDetail }) => ErrorDetail?.ErrorCode !== isFine);
    if (first === undefined) return;
    const reason = `${first.PartitionValues?.join('/')}: ${first.ErrorDetail?.ErrorCode}`;
    throw syncFailed(database, what, reason, new Error(first.ErrorDetail?.ErrorMessage));
  };

  return {
    name: `Glue database ${database}`,
    database,
    tables: async () => {
      const found: { name: string; location: string; isDaily: boolean; fingerprint: string }[] = [];
      await guarded('its tables', async () => {
        for await (const { TableList = [] } of paginateGetTables({ client }, inDatabase)) {
          signal?.throwIfAborted();
          for (const { Name = '', Parameters, StorageDescriptor, PartitionKeys } of TableList) {
            const fingerprint = Parameters?.[PRINT];
            if (fingerprint === undefined) continue;
            const location = StorageDescriptor?.Location ?? '';
            found.push({ name: Name, location, isDaily: (PartitionKeys?.length ?? 0) > 0, fingerprint });
          }
        }
      });
      return found;
    },
    putTable: async (table, isKnown) => {
      const TableInput = tableInput(table);
      const create = () => client.send(new CreateTableCommand({ ...inDatabase, TableInput }));
      // Otherwise Glue keeps a version of the table for every run.
      const update = () =>
        client.send(new UpdateTableCommand({ ...inDatabase, TableInput, SkipArchive: true }));
      // Another sync may have made or removed the table meanwhile.
      const done = isKnown
        ? await guarded(table.name, update, 'EntityNotFoundException')
        : await guarded(table.name, create, 'AlreadyExistsException');
      if (done === undefined) await guarded(table.name, isKnown ? create : update);
    },
    removeTables: async (names) => {
      for (const TablesToDelete of chunks(names, MOST.tables)) {
        const answer = await guarded('tables that are gone', () =>
          client.send(new BatchDeleteTableCommand({ ...inDatabase, TablesToDelete: [...TablesToDelete] })),
        );
        const failed = answer?.Errors?.find(
          ({ ErrorDetail }) => ErrorDetail?.ErrorCode !== 'EntityNotFoundException',
        );
        if (failed !== undefined) {
          throw syncFailed(database, failed.TableName ?? '', failed.ErrorDetail?.ErrorCode ?? '', undefined);
        }
      }
    },
    partitions: async (table) => {
      const found: CatalogPartition[] = [];
      const asked = { ...inDatabase, TableName: table, ExcludeColumnSchema: true, MaxResults: MOST.read };
      await guarded(table, async () => {
        for await (const { Partitions = [] } of paginateGetPartitions({ client }, asked)) {
          signal?.throwIfAborted();
          for (const { Values, StorageDescriptor, Parameters } of Partitions)
            found.push({
              date: Values?.[0] ?? '',
              location: StorageDescriptor?.Location ?? '',
              fingerprint: Parameters?.[PRINT] ?? '',
            });
        }
      });
      return found;
    },
    putPartitions: async (table, partitions) => {
      const of = { ...inDatabase, TableName: table.name };
      for (const some of chunks(partitions, MOST.put)) {
        const PartitionInputList = some.map((each) => partitionInput(table, each));
        const made = await guarded(table.name, () =>
          client.send(new BatchCreatePartitionCommand({ ...of, PartitionInputList })),
        );
        check(table.name, made?.Errors, 'AlreadyExistsException');
        const there = new Set(made?.Errors?.map(({ PartitionValues }) => PartitionValues?.[0]));
        const Entries = PartitionInputList.filter(({ Values }) => there.has(Values?.[0])).map(
          (PartitionInput) => ({ PartitionValueList: PartitionInput.Values, PartitionInput }),
        );
        if (Entries.length === 0) continue;
        const updated = await guarded(table.name, () =>
          client.send(new BatchUpdatePartitionCommand({ ...of, Entries })),
        );
        const errors = updated?.Errors?.map(({ PartitionValueList: PartitionValues, ErrorDetail }) => ({
          ...{ PartitionValues, ErrorDetail },
        }));
        check(table.name, errors, '');
      }
    },
    removePartitions: async (table, dates) => {
      for (const some of chunks(dates, MOST.deleted)) {
        const answer = await guarded(table, () =>
          client.send(
            new BatchDeletePartitionCommand({
              ...inDatabase,
              TableName: table,
              PartitionsToDelete: some.map((date) => ({ Values: [date] })),
            }),
          ),
        );
        check(table, answer?.Errors, 'EntityNotFoundException');
      }
    },
  };
}

function chunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, chunk) => items.slice(chunk * size, (chunk + 1) * size));
}

function syncFailed(database: string, what: string, reason: string, cause: unknown): ExportError {
  return new ExportError({
    code: 'CATALOG_SYNC_FAILED',
    message: `Glue database ${database} could not be made to agree with the lake (${what}: ${reason}). The run is committed; the next start updates the catalog, or \`catalog sync --deployed\` does it now.${governed(cause)}`,
    cause,
  });
}

/** The cure if more than IAM governs the catalog; otherwise empty. */
function governed(cause: unknown): string {
  return cause instanceof Error && cause.message.includes('Lake Formation')
    ? ' Lake Formation governs this catalog: set lakeFormation in the config and deploy, or grant by hand.'
    : '';
}
