import { createServer } from 'node:http';
import { listening } from '../api/support/serve.ts';

const EVERYBODY = 'IAM_ALLOWED_PRINCIPALS';
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

/** As Lake Formation lists a grant: SELECT on a table is one on all its columns, and stands apart. */
function listed(entry: Entry): readonly Entry[] {
  const { Table } = entry.Resource;
  const others = entry.Permissions.filter((each) => each !== 'SELECT');
  if (Table === undefined || others.length === entry.Permissions.length) return [entry];
  const columns = { TableWithColumns: { ...(Table as Body), ColumnWildcard: {} } };
  const select = { ...entry, Resource: columns, Permissions: ['SELECT'] };
  return others.length === 0 ? [select] : [{ ...entry, Permissions: others }, select];
}

/** A stand-in for Lake Formation: its data filters and permissions, as its API documents them. It ends with the scope. */
export async function lakeFormation() {
  const filters = new Map<
    string,
    { readonly table: string; readonly name: string; readonly expression: string }
  >();
  const grants = new Map<string, Entry>();
  const calls: string[] = [];
  let refused = '';
  let isGoverned = false;
  const keyOf = ({ Principal, Resource }: Pick<Entry, 'Principal' | 'Resource'>) =>
    `${Principal.DataLakePrincipalIdentifier} ${textOf(Resource)}`;
  const batch = (body: Body, isRevoked: boolean) => {
    const Failures: object[] = [];
    for (const entry of body['Entries'] as readonly Entry[]) {
      const held = grants.get(keyOf(entry))?.Permissions ?? [];
      const has = entry.Permissions.every((each) => held.includes(each));
      const fail = (ErrorCode: string, ErrorMessage: string) =>
        Failures.push({ RequestEntry: entry, Error: { ErrorCode, ErrorMessage } });
      if (textOf(entry.Resource) === refused) fail('AccessDeniedException', 'no');
      else if (isRevoked && !has) fail('InvalidInputException', 'No permissions revoked.');
      else {
        const others = held.filter((each) => !entry.Permissions.includes(each));
        const Permissions = isRevoked ? others : [...others, ...entry.Permissions];
        if (Permissions.length === 0) grants.delete(keyOf(entry));
        else grants.set(keyOf(entry), { ...entry, Permissions });
      }
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
      return { PrincipalResourcePermissions: found.flatMap(listed) };
    },
    GetDataLakeSettings: () => ({
      DataLakeSettings: {
        CreateTableDefaultPermissions: isGoverned
          ? []
          : [{ Principal: { DataLakePrincipalIdentifier: EVERYBODY }, Permissions: ['ALL'] }],
      },
    }),
    BatchGrantPermissions: (body) => batch(body, false),
    BatchRevokePermissions: (body) => batch(body, true),
  };
  const server = createServer(async (request, response) => {
    const call = (request.url ?? '').slice(1);
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString('utf8'));
    calls.push(call);
    const entries = body.Entries?.length ?? 0;
    response.writeHead(entries > 20 ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answers[call]?.(body) ?? {}));
  });
  const { port, ...ends } = await listening(server);
  return {
    ...{ url: `http://127.0.0.1:${port}`, ...ends },
    /** The names of the calls, in order. */
    calls,
    /** Adds a filter of somebody else. */
    add: (table: string, name: string) => void add(table, name),
    /** Grants by hand on a table or view: by default, as accounts do, everything to everybody whom IAM lets ask. */
    open: (table: string, who = EVERYBODY, Permissions: readonly string[] = ['ALL']) => {
      const Principal = { DataLakePrincipalIdentifier: who };
      const entry = { Id: '', Principal, Resource: { Table: { Name: table } }, Permissions };
      grants.set(keyOf(entry), entry);
    },
    /** Makes the account one whose new tables are open to nobody. */
    govern: () => {
      isGoverned = true;
    },
    /** Refuses all grants and revocations on a table, view or filter; '' ends that. */
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
  };
}
