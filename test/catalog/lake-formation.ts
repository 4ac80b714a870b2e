import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Body = Readonly<Record<string, unknown>>;
interface Entry {
  readonly Id: string;
  readonly Principal: { readonly DataLakePrincipalIdentifier: string };
  readonly Resource: Body;
  readonly Permissions: readonly string[];
}

const textOf = (resource: Body): string => {
  const { TableName, Name } = (resource['DataCellsFilter'] ?? resource['Table']) as Body;
  return TableName === undefined ? String(Name) : `${TableName} ${Name}`;
};

/** A stand-in for Lake Formation: its data filters and permissions, as its API documents them. It ends with the scope. */
export async function lakeFormation() {
  const filters = new Map<
    string,
    { readonly table: string; readonly name: string; readonly expression: string }
  >();
  const grants = new Map<string, Entry>();
  const calls: string[] = [];
  let refused = '';
  const keyOf = ({ Principal, Resource }: Pick<Entry, 'Principal' | 'Resource'>) =>
    `${Principal.DataLakePrincipalIdentifier} ${textOf(Resource)}`;
  const batch = (body: Body, change: (entry: Entry) => void) => {
    const Failures = [];
    for (const entry of body['Entries'] as readonly Entry[]) {
      if (textOf(entry.Resource) !== refused) change(entry);
      else
        Failures.push({
          RequestEntry: entry,
          Error: { ErrorCode: 'AccessDeniedException', ErrorMessage: 'no' },
        });
    }
    return { Failures };
  };
  const add = (table: string, name: string, expression = '') =>
    filters.set(`${table} ${name}`, { table, name, expression });
  const answers: Readonly<Record<string, (body: Body) => object>> = {
    ListDataCellsFilter: ({ Table }) => {
      const { Name } = Table as Body;
      const found = [...filters.values()].filter(({ table }) => table === Name);
      return { DataCellsFilters: found.map(({ table, name }) => ({ TableName: table, Name: name })) };
    },
    CreateDataCellsFilter: ({ TableData }) => {
      const { TableName, Name, RowFilter } = TableData as Body;
      add(String(TableName), String(Name), String((RowFilter as Body)['FilterExpression']));
      return {};
    },
    DeleteDataCellsFilter: ({ TableName, Name }) => {
      filters.delete(`${TableName} ${Name}`);
      return {};
    },
    ListPermissions: ({ Principal, Resource }) => {
      const who = (Principal as Entry['Principal'] | undefined)?.DataLakePrincipalIdentifier;
      const found = [...grants.values()].filter(
        (each) =>
          textOf(each.Resource) === textOf(Resource as Body) &&
          (who === undefined || each.Principal.DataLakePrincipalIdentifier === who),
      );
      return { PrincipalResourcePermissions: found };
    },
    BatchGrantPermissions: (body) => batch(body, (entry) => grants.set(keyOf(entry), entry)),
    BatchRevokePermissions: (body) => batch(body, (entry) => grants.delete(keyOf(entry))),
  };
  const server = createServer(async (request, response) => {
    const call = (request.url ?? '').slice(1);
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString('utf8'));
    calls.push(call);
    const entries = body.Entries?.length ?? 0;
    response.writeHead(entries > 20 ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answers[call]?.(body) ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The names of the calls, in order. */
    calls,
    /** Adds a filter of somebody else. */
    add: (table: string, name: string) => void add(table, name),
    /** Opens a table to everybody whom IAM lets ask, as accounts do by default. */
    open: (table: string) => {
      const Principal = { DataLakePrincipalIdentifier: 'IAM_ALLOWED_PRINCIPALS' };
      const entry = { Id: '', Principal, Resource: { Table: { Name: table } }, Permissions: ['ALL'] };
      grants.set(keyOf(entry), entry);
    },
    /** Refuses all grants on a table or view. */
    refuse: (name: string) => {
      refused = name;
    },
    names: (table: string) =>
      [...filters.values()]
        .filter((each) => each.table === table)
        .map(({ name }) => name)
        .sort(),
    filters: () =>
      [...filters.values()].map(({ table, name, expression }) => `${table} ${name}: ${expression}`),
    grants: () =>
      [...grants.values()].map(
        ({ Principal, Permissions, Resource }) =>
          `${Principal.DataLakePrincipalIdentifier.replace(/^arn:aws:iam::1:/, '')}: ${Permissions.join(' ')} on ${textOf(Resource)}`,
      ),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
