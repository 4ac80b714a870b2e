import { hash } from 'node:crypto';
import {
  BatchGrantPermissionsCommand,
  type BatchPermissionsFailureEntry,
  type BatchPermissionsRequestEntry,
  BatchRevokePermissionsCommand,
  CreateDataCellsFilterCommand,
  type DataLakePrincipal,
  DeleteDataCellsFilterCommand,
  GetDataLakeSettingsCommand,
  LakeFormationClient,
  type Permission,
  paginateListDataCellsFilter,
  paginateListPermissions,
  type Resource,
} from '@aws-sdk/client-lakeformation';
import type { Catalog, CatalogTable } from '../catalog/catalog.ts';
import { type RowFilter, rowFilterExpression } from '../config/deployment-shape.ts';
import { ExportError, errorName } from '../errors.ts';
import { sideBySide } from '../side-by-side.ts';

/** What distinguishes our filters of a table from those of others. */
const OURS = 'signage-export-';
/** @see https://docs.aws.amazon.com/lake-formation/latest/APIReference/API_BatchGrantPermissions.html */
const MOST_ENTRIES = 20;
const AT_ONCE = 4;
const EVERYBODY = 'IAM_ALLOWED_PRINCIPALS';
const OPEN = {
  Principal: { DataLakePrincipalIdentifier: EVERYBODY },
  Permissions: ['ALL'] satisfies Permission[],
};
const READING: Permission[] = ['SELECT', 'DESCRIBE'];
/** A sync at the same time has done it. */
const [GONE, THERE] = ['EntityNotFoundException', 'AlreadyExistsException'];

interface RowFilterOptions {
  readonly database: string;
  /** The account of the catalog. */
  readonly account: string;
  readonly client?: LakeFormationClient;
}

type Entry = Omit<BatchPermissionsRequestEntry, 'Id'>;
type Named = Pick<CatalogTable, 'name' | 'view'>;
interface TableFilter {
  readonly table: string;
  readonly name: string;
}

/**
 * Makes Lake Formation's data filters those of the config, whatever they were: on each table a filter for each of
 * `filters`, granted to its readers. A view is granted without a filter, for Athena reads its tables by the rights of
 * who asks. What a former config made is found by asking, and taken back. Throws CATALOG_SYNC_FAILED.
 */
export function rowFilters(
  filters: readonly RowFilter[],
  { database, account, client = new LakeFormationClient({ maxAttempts: 8 }) }: RowFilterOptions,
): NonNullable<Catalog['filterRows']> {
  const named = new Map(filters.map((each) => [filterName(each), each]));
  const inTable = (TableName: string) => ({ TableCatalogId: account, DatabaseName: database, TableName });
  const filterOf = ({ table, name }: TableFilter): Resource => {
    return { DataCellsFilter: { ...inTable(table), Name: name } };
  };
  const tableOf = (Name: string) => ({ Table: { CatalogId: account, DatabaseName: database, Name } });
  const grant = (entries: readonly Entry[]) =>
    change(entries, (Entries) => client.send(new BatchGrantPermissionsCommand({ Entries })));
  const revoke = (entries: readonly Entry[]) =>
    change(entries, (Entries) => client.send(new BatchRevokePermissionsCommand({ Entries })));

  const filtersOf = async (table: string): Promise<readonly TableFilter[]> => {
    const found: TableFilter[] = [];
    for await (const page of paginateListDataCellsFilter({ client }, tableOf(table)))
      found.push(...(page.DataCellsFilters ?? []).map(({ Name = '' }) => ({ table, name: Name })));
    return found;
  };

  /** What principals have of the whole of this resource, by its own name. */
  const grantsOn = async (of: { readonly Resource: Resource; readonly Principal?: DataLakePrincipal }) => {
    const found: Entry[] = [];
    for await (const page of paginateListPermissions({ client }, of))
      for (const { Principal, Permissions, Resource } of page.PrincipalResourcePermissions ?? []) {
        const ofAllTables = Resource?.Table?.TableWildcard !== undefined;
        const ofColumns = Resource?.TableWithColumns?.ColumnNames !== undefined;
        if (!ofAllTables && !ofColumns) found.push({ Principal, Permissions, Resource: of.Resource });
      }
    return found;
  };

  /**
   * Takes back what only a former config says. Its filters go last: until then they say who their readers were and that
   * tables are shut, also to the sync after one that broke off.
   */
  const takeBack = async (stale: readonly TableFilter[], tables: readonly Named[]): Promise<void> => {
    const grants = (
      await sideBySide(stale, AT_ONCE, (each) => grantsOn({ Resource: filterOf(each) }))
    ).flat();
    const readers = new Set(filters.flatMap((each) => each.readers));
    const left = new Set(grants.map(whoOf).filter((who) => !readers.has(who)));
    if (left.size > 0) {
      const views = tables.filter(isView).map(({ name }) => ({ Resource: tableOf(name) }));
      const onViews = (await sideBySide(views, AT_ONCE, grantsOn)).flat();
      await revoke(
        onViews.filter((each) => left.has(whoOf(each)) && each.Permissions?.every(isForReading) === true),
      );
    }
    if (filters.length === 0 && (await isOpenByDefault()))
      await grant(tables.map(({ name }) => ({ ...OPEN, Resource: tableOf(name) })));
    await revoke(grants);
    await sideBySide(stale, AT_ONCE, async ({ table, name }) => {
      const command = new DeleteDataCellsFilterCommand({ ...inTable(table), Name: name });
      await client.send(command).catch(unless(GONE));
    });
  };

  /** Whether new tables of the account are open to everybody whom IAM lets ask. */
  const isOpenByDefault = async (): Promise<boolean> => {
    const { DataLakeSettings } = await client.send(new GetDataLakeSettingsCommand({ CatalogId: account }));
    const { CreateTableDefaultPermissions = [] } = DataLakeSettings ?? {};
    return CreateTableDefaultPermissions.some((each) => whoOf(each) === EVERYBODY);
  };

  /** Shuts a table to everybody whom IAM lets ask, and makes the filters that it lacks. */
  const filterTable = async (table: string, known: readonly TableFilter[]): Promise<void> => {
    const { Principal } = OPEN;
    const Resource = tableOf(table);
    // Tables from before the filters are open to them.
    const open = (await grantsOn({ Principal, Resource })).flatMap(({ Permissions = [] }) => Permissions);
    const Permissions = open.includes('ALL') ? OPEN.Permissions : open;
    if (open.length > 0) await revoke([{ Principal, Permissions, Resource }]);
    for (const [Name, { sources }] of named) {
      if (known.some((each) => each.table === table && each.name === Name)) continue;
      const RowFilter = { FilterExpression: rowFilterExpression(sources) };
      const TableData = { ...inTable(table), Name, RowFilter, ColumnWildcard: {} };
      await client.send(new CreateDataCellsFilterCommand({ TableData })).catch(unless(THERE));
    }
  };

  const wantedOn = (table: Named): readonly Entry[] =>
    [...named].flatMap(([name, { readers }]) => {
      const wanted: Pick<Entry, 'Resource' | 'Permissions'> = isView(table)
        ? { Resource: tableOf(table.name), Permissions: READING }
        : { Resource: filterOf({ table: table.name, name }), Permissions: ['SELECT'] };
      return readers.map((arn) => ({ Principal: { DataLakePrincipalIdentifier: arn }, ...wanted }));
    });

  return async (tables) => {
    try {
      const filtered = tables.filter((each) => !isView(each));
      const known = (await sideBySide(filtered, AT_ONCE, ({ name }) => filtersOf(name))).flat();
      const stale = known.filter(({ name }) => name.startsWith(OURS) && !named.has(name));
      if (stale.length > 0) await takeBack(stale, tables);
      if (filters.length === 0) return;
      await sideBySide(filtered, AT_ONCE, ({ name }) => filterTable(name, known));
      await grant(tables.flatMap(wantedOn));
    } catch (cause) {
      throw new ExportError({
        code: 'CATALOG_SYNC_FAILED',
        message: `The run is committed, but the row filters of ${database} could not be put (${cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)}). Readers with a row filter may see too little, or what a former config granted. The next commit tries again, or \`catalog sync --deployed\` does it now.`,
        cause,
      });
    }
  };
}

const isView = ({ view }: Named) => view !== undefined;
const isForReading = (permission: Permission) => READING.includes(permission);
const whoOf = ({ Principal }: { readonly Principal?: DataLakePrincipal | undefined }) =>
  Principal?.DataLakePrincipalIdentifier ?? '';

/** It changes with all that the filter says, so that a filter never changes what it shows to whom. */
function filterName(filter: RowFilter): string {
  return `${OURS}${filter.group}-${hash('sha256', JSON.stringify(filter)).slice(0, 8)}`;
}

/** Throws an error of another name. */
function unless(name: string) {
  return (error: unknown): void => {
    if (errorName(error) !== name) throw error;
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
