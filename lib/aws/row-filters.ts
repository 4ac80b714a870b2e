import { hash } from 'node:crypto';
import {
  BatchGrantPermissionsCommand,
  type BatchPermissionsFailureEntry,
  type BatchPermissionsRequestEntry,
  BatchRevokePermissionsCommand,
  CreateDataCellsFilterCommand,
  type DataLakePrincipal,
  DeleteDataCellsFilterCommand,
  LakeFormationClient,
  type Permission,
  paginateListDataCellsFilter,
  paginateListPermissions,
  type Resource,
} from '@aws-sdk/client-lakeformation';
import type { Catalog, CatalogTable } from '../catalog/catalog.ts';
import { type RowFilter, rowFilterExpression } from '../config/deployment-shape.ts';
import { ExportError } from '../errors.ts';
import { sideBySide } from '../side-by-side.ts';

/** What distinguishes our filters of a table from those of others. */
const OURS = 'signage-export-';
/** @see https://docs.aws.amazon.com/lake-formation/latest/APIReference/API_BatchGrantPermissions.html */
const MOST_ENTRIES = 20;
const AT_ONCE = 4;
const EVERYBODY = 'IAM_ALLOWED_PRINCIPALS';
/** A sync at the same time has done it. */
const [GONE, THERE] = ['EntityNotFoundException', 'AlreadyExistsException'];

export interface RowFilterOptions {
  readonly database: string;
  /** The account of the catalog. */
  readonly account: string;
  readonly client?: LakeFormationClient;
}

type Entry = Omit<BatchPermissionsRequestEntry, 'Id'>;

/**
 * Makes Lake Formation's data filters those of the config, whatever they were: on each table a filter for each of
 * `filters`, granted to its readers. What a former config granted is revoked. A view is granted without a filter, for
 * Athena reads its tables by the rights of who asks. Throws CATALOG_SYNC_FAILED.
 */
export function rowFilters(
  filters: readonly RowFilter[],
  { database, account, client = new LakeFormationClient({ maxAttempts: 8 }) }: RowFilterOptions,
): NonNullable<Catalog['filterRows']> {
  const named = new Map(filters.map((each) => [nameOf(each), each]));
  const of = (TableName: string) => ({ TableCatalogId: account, DatabaseName: database, TableName });

  const revoke = async (of: { readonly Principal?: DataLakePrincipal; readonly Resource: Resource }) => {
    const granted: Entry[] = [];
    for await (const page of paginateListPermissions({ client }, of))
      for (const { Principal, Permissions } of page.PrincipalResourcePermissions ?? [])
        granted.push({ Principal, Permissions, Resource: of.Resource });
    await change(granted, (Entries) => client.send(new BatchRevokePermissionsCommand({ Entries })));
  };

  /** Revokes and removes the filters of a table that no config has, and makes those that are missing. */
  const filterTable = async (table: string): Promise<void> => {
    const known: string[] = [];
    const Table = { CatalogId: account, DatabaseName: database, Name: table };
    // It opens all rows to everybody whom IAM lets ask, and tables from before Lake Formation have it.
    await revoke({ Principal: { DataLakePrincipalIdentifier: EVERYBODY }, Resource: { Table } });
    for await (const page of paginateListDataCellsFilter({ client }, { Table }))
      known.push(...(page.DataCellsFilters ?? []).map(({ Name = '' }) => Name));
    for (const Name of known) {
      if (!Name.startsWith(OURS) || named.has(Name)) continue;
      await revoke({ Resource: { DataCellsFilter: { ...of(table), Name } } });
      await client.send(new DeleteDataCellsFilterCommand({ ...of(table), Name })).catch(unless(GONE));
    }
    for (const [Name, { sources }] of named) {
      if (known.includes(Name)) continue;
      const RowFilter = { FilterExpression: rowFilterExpression(sources) };
      const TableData = { ...of(table), Name, RowFilter, ColumnWildcard: {} };
      await client.send(new CreateDataCellsFilterCommand({ TableData })).catch(unless(THERE));
    }
  };

  const grantsOf = ({ name, view }: Pick<CatalogTable, 'name' | 'view'>): readonly Entry[] =>
    [...named].flatMap(([Name, { readers }]) => {
      const [Resource, Permissions]: [Resource, Permission[]] =
        view === undefined
          ? [{ DataCellsFilter: { ...of(name), Name } }, ['SELECT']]
          : [{ Table: { CatalogId: account, DatabaseName: database, Name: name } }, ['SELECT', 'DESCRIBE']];
      return readers.map((arn) => {
        return { Principal: { DataLakePrincipalIdentifier: arn }, Resource, Permissions };
      });
    });

  return async (tables) => {
    try {
      const filtered = tables.filter(({ view }) => view === undefined);
      await sideBySide(filtered, AT_ONCE, ({ name }) => filterTable(name));
      await change(tables.flatMap(grantsOf), (Entries) =>
        client.send(new BatchGrantPermissionsCommand({ Entries })),
      );
    } catch (cause) {
      throw new ExportError({
        code: 'CATALOG_SYNC_FAILED',
        message: `The run is committed, but the row filters of ${database} could not be put (${cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)}). Readers with a row filter may see too little, or what a former config granted. The next commit tries again, or \`catalog sync --deployed\` does it now.`,
        cause,
      });
    }
  };
}

/** It changes with all that the filter says, so that a filter never changes what it shows to whom. */
function nameOf(filter: RowFilter): string {
  return `${OURS}${filter.group}-${hash('sha256', JSON.stringify(filter)).slice(0, 8)}`;
}

/** Throws an error of another name. */
function unless(name: string) {
  return (error: unknown): void => {
    if (!(error instanceof Error && error.name === name)) throw error;
  };
}

/** Grants or revokes, as many at once as AWS takes. */
async function change(
  entries: readonly Entry[],
  send: (
    entries: BatchPermissionsRequestEntry[],
  ) => Promise<{ readonly Failures?: BatchPermissionsFailureEntry[] | undefined }>,
): Promise<void> {
  for (let first = 0; first < entries.length; first += MOST_ENTRIES) {
    const some = entries.slice(first, first + MOST_ENTRIES);
    const { Failures = [] } = await send(some.map((each, index) => ({ Id: String(index), ...each })));
    const [failed] = Failures;
    if (failed !== undefined)
      throw new Error(`${failed.Error?.ErrorCode}: ${failed.Error?.ErrorMessage}`, { cause: failed });
  }
}
