import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startService } from '../../support/service.ts';
import { CREDENTIALS, REGION } from './s3.ts';
import { trino } from './tools.ts';

export interface TrinoAnswer {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
}

export interface TrinoStandIn {
  readonly url: string;
  /** Throws an Error named as Trino's error (HIVE_BAD_DATA). */
  query(sql: string, database: string): Promise<TrinoAnswer>;
}

const SERVER = (port: number) => `
coordinator=true
node-scheduler.include-coordinator=true
http-server.http.port=${port}
discovery.uri=http://127.0.0.1:${port}
query.max-memory=256MB
query.max-memory-per-node=256MB
memory.heap-headroom-per-node=128MB
`;

const CATALOG = (urls: { s3: string; glue: string }) => `
connector.name=hive
hive.metastore=glue
hive.metastore.glue.region=${REGION}
hive.metastore.glue.endpoint-url=${urls.glue}
hive.metastore.glue.aws-access-key=${CREDENTIALS.AWS_ACCESS_KEY_ID}
hive.metastore.glue.aws-secret-key=${CREDENTIALS.AWS_SECRET_ACCESS_KEY}
hive.table-statistics-enabled=false
fs.native-s3.enabled=true
s3.endpoint=${urls.s3}
s3.region=${REGION}
s3.path-style-access=true
s3.aws-access-key=${CREDENTIALS.AWS_ACCESS_KEY_ID}
s3.aws-secret-key=${CREDENTIALS.AWS_SECRET_ACCESS_KEY}
`;

/** Athena by Trino, over the Glue and S3 of the stand-ins. */
export async function startTrino(urls: {
  s3: string;
  glue: string;
}): Promise<TrinoStandIn & AsyncDisposable> {
  const { java, lib, plugins, folder } = await trino();
  const port = await freePort();
  const work = await mkdtemp(join(tmpdir(), 'signage-export-trino-'));
  await mkdir(join(work, 'catalog'));
  await mkdir(join(work, 'data'));
  await writeFile(join(work, 'config.properties'), SERVER(port));
  await writeFile(join(work, 'catalog', 'awsdatacatalog.properties'), CATALOG(urls));
  const url = `http://127.0.0.1:${port}`;
  const service = await startService({
    command: java,
    args: [
      ...['-Xmx1G', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Djdk.attach.allowAttachSelf=true'],
      ...['--enable-native-access=ALL-UNNAMED', '--sun-misc-unsafe-memory-access=allow'],
      ...['-Dnode.environment=ci', '-Dnode.id=ci1', `-Dnode.data-dir=${join(work, 'data')}`],
      ...['-Dnode.bind-ip=127.0.0.1', '-Dnode.internal-address=127.0.0.1'],
      ...[`-Dplugin.dir=${plugins}`, `-Dsecrets-plugins-dir=${join(folder, 'secrets-plugin')}`],
      ...[`-Dcatalog.config-dir=${join(work, 'catalog')}`, `-Dconfig=${join(work, 'config.properties')}`],
      ...['-cp', `${lib}/*`, 'io.trino.server.TrinoServer'],
    ],
    cwd: work,
    isReady: async () => (await query(url, 'select 1', 'default')).rows.length === 1,
    patienceMs: 120_000,
  });
  return {
    ...trinoAt(url),
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await rm(work, { recursive: true, force: true });
    },
  };
}

/** The stand-in that runs there. */
export function trinoAt(url: string): TrinoStandIn {
  return { url, query: (sql, database) => query(url, sql, database) };
}

interface Page {
  readonly nextUri?: string;
  readonly columns?: readonly { readonly name: string; readonly type: string }[];
  readonly data?: readonly (readonly unknown[])[];
  readonly error?: { readonly errorName: string; readonly message: string };
}

/** @see https://trino.io/docs/current/develop/client-protocol.html */
async function query(url: string, sql: string, database: string): Promise<TrinoAnswer> {
  const headers = {
    'X-Trino-User': 'reader',
    'X-Trino-Catalog': 'awsdatacatalog',
    'X-Trino-Schema': database,
    'X-Trino-Time-Zone': 'UTC',
    // Without it every timestamp's type is told without its precision.
    'X-Trino-Client-Capabilities': 'PARAMETRIC_DATETIME',
  };
  let page = await read(await fetch(`${url}/v1/statement`, { method: 'POST', body: sql, headers }));
  let columns = page.columns;
  const rows: (readonly unknown[])[] = [...(page.data ?? [])];
  while (page.nextUri !== undefined) {
    page = await read(await fetch(page.nextUri, { headers }));
    columns ??= page.columns;
    rows.push(...(page.data ?? []));
  }
  return { columns: columns ?? [], rows };
}

async function read(answer: Response): Promise<Page> {
  if (!answer.ok) throw new Error(`Trino answers ${answer.status}: ${await answer.text()}`);
  // Beyond 2^53 JSON.parse would round.
  const page = JSON.parse(await answer.text(), (_key, value, context?: { source: string }) =>
    typeof value === 'number' &&
    context !== undefined &&
    !Number.isSafeInteger(value) &&
    /^-?\d+$/.test(context.source)
      ? context.source
      : value,
  ) as Page;
  if (page.error === undefined) return page;
  throw Object.assign(new Error(page.error.message), { name: page.error.errorName });
}
