import { LakeFormationClient } from '@aws-sdk/client-lakeformation';
import { describe, expect, it } from 'vitest';
import { rowFilters } from '#lib/aws/row-filters.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { commitHead } from '#lib/lake/head.ts';
import { syncCatalogOf } from '#lib/lambda/after-commit.ts';
import type { LambdaServices } from '#lib/lambda/stage-context.ts';
import { environment } from '#lib/runtime/environment.ts';
import { EMPTY_SCHEMA } from '#lib/schema/schema.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { configWith } from '../infra/synthesized.ts';
import { head } from '../support/head.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { lakeFormation } from './lake-formation.ts';

const BERLIN = { group: 'berlin', sources: ['berlin'], readers: ['arn:aws:iam::1:role/berlin'] };
const VAULT = { group: 'vault', sources: ['vault', 'vault-2'], readers: ['arn:aws:iam::1:role/vault'] };
const TABLES = [{ name: 'screens' }, { name: 'runs' }, { name: 'screen_status', view: '/* Presto View */' }];

async function lab() {
  const service = await lakeFormation();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const place = { endpoint: service.url, region: 'eu-central-1' };
  const client = new LakeFormationClient({ ...place, credentials, maxAttempts: 1 });
  const put = (...filters: Parameters<typeof rowFilters>[0]) =>
    rowFilters(filters, { database: 'signage', account: '1', client })(TABLES);
  return { ...service, put };
}

describe('row filters', () => {
  it('are on each table and granted to their readers; views are granted as they are', async () => {
    await using service = await lab();
    await service.put(BERLIN, VAULT);
    const [berlin = '', vault = ''] = service.names('screens');
    expect([berlin, vault]).toEqual([
      expect.stringMatching(/^signage-export-berlin-[0-9a-f]{8}$/),
      expect.stringMatching(/^signage-export-vault-[0-9a-f]{8}$/),
    ]);
    expect(service.filters().toSorted()).toEqual(
      ['runs', 'screens'].flatMap((table) => [
        `${table} ${berlin}: export_source IN ('berlin')`,
        `${table} ${vault}: export_source IN ('vault', 'vault-2')`,
      ]),
    );
    expect(service.grants().toSorted()).toEqual(
      [
        ...['berlin', 'vault'].flatMap((group) => [
          ...['runs', 'screens'].map(
            (table) =>
              `role/${group}: SELECT on ${table} ${service.names(table).find((name) => name.includes(group))}`,
          ),
          `role/${group}: SELECT DESCRIBE on screen_status`,
        ]),
      ].sort(),
    );
  });

  it.each([
    ['other sources', [{ ...BERLIN, sources: ['vault'] }]],
    ['other readers', [{ ...BERLIN, readers: ['arn:aws:iam::1:role/other'] }]],
    ['no such filter', [VAULT]],
    ['no filter at all', []],
  ])(
    'take back what a config with %s no longer says, and leave what others granted',
    async (_what, after) => {
      await using service = await lab();
      service.add('screens', 'by-hand');
      service.open('screen_status', 'arn:aws:iam::1:role/by-hand', ['SELECT', 'DESCRIBE']);
      await service.put(BERLIN);
      const former = service.names('screens').find((name) => name.includes('berlin')) ?? '';
      await service.put(...after);
      expect(service.names('screens')).not.toContain(former);
      expect(service.names('screens')).toContain('by-hand');
      expect(service.grants()).toContain('role/by-hand: SELECT DESCRIBE on screen_status');
      expect(service.grants().filter((grant) => grant.includes(former))).toEqual([]);
      const stays = after.some(({ readers }) => readers.some((each) => BERLIN.readers.includes(each)));
      const views = stays ? ['role/berlin: SELECT DESCRIBE on screen_status'] : [];
      const ofBerlin = service.grants().filter((grant) => grant.startsWith('role/berlin'));
      expect(ofBerlin.filter((grant) => !grant.includes('signage-export-'))).toEqual(views);
      expect(ofBerlin.length - views.length).toBe(stays ? 2 : 0);
    },
  );

  it('close tables that were open to everybody whom IAM lets ask, and open all again when the last one goes', async () => {
    await using service = await lab();
    const open = () => service.grants().filter((grant) => grant.startsWith('IAM_ALLOWED_PRINCIPALS'));
    service.open('screens');
    await service.put(BERLIN, VAULT);
    expect(open()).toEqual([]);
    await service.put(VAULT);
    expect(open()).toEqual([]);
    await service.put();
    expect(open().toSorted()).toEqual(
      ['runs', 'screen_status', 'screens'].map((name) => `IAM_ALLOWED_PRINCIPALS: ALL on ${name}`),
    );
    expect([service.filters(), service.grants().length]).toEqual([[], 3]);
  });

  it('are put on all tables and views that a commit tells the catalog, and taken off when the config has none', async () => {
    let [granted, filtered]: [readonly string[], number] = [[], 0];
    await using service = await lab();
    await using folder = await temporaryFolder();
    const lake = folderLake(folder.path);
    const now = head();
    await lake.write(now.schema, Buffer.from(JSON.stringify(EMPTY_SCHEMA)));
    await commitHead(lake, now, undefined);
    const region = { AWS_ENDPOINT_URL: service.url, AWS_REGION: 'eu-central-1' };
    const before = { ...process.env };
    Object.assign(process.env, { ...region, AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' });
    try {
      const ours = { ...environment(), database: 'signage', account: '1', views: QUERIES };
      const services = { lake, environment: ours } as unknown as LambdaServices;
      await syncCatalogOf(services, { config: configWith({}) });
      expect(service.calls.filter((call) => call !== '')).toEqual([]);
      const readers = ['arn:aws:iam::111122223333:role/berlin'];
      const filter = { group: 'berlin', sources: ['berlin'], readers };
      const lakeFormation = { readers: [], rowFilters: [filter] };
      const config = configWith({ readers: ['berlin'], lakeFormation });
      await syncCatalogOf(services, { config });
      granted = service.grants().map((grant) => grant.replace(/^.* on ([a-z_]+).*$/, '$1'));
      filtered = service.filters().length;
      await syncCatalogOf(services, { config: configWith({ lakeFormation: { readers: [] } }) });
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
      Object.assign(process.env, before);
    }
    expect(granted).toEqual(
      expect.arrayContaining(['screens', 'screens_daily', 'runs', 'dates', 'export_health']),
    );
    expect(filtered).toBeGreaterThan(20);
    expect(service.filters()).toEqual([]);
    expect(service.grants().filter((grant) => grant.includes('role/berlin'))).toEqual([]);
  });
});
