import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigInvalid } from '#lib/config/config-faults.ts';
import { parseConfig, readConfig } from '#lib/config/parse-config.ts';
import { UsageError } from '#lib/errors.ts';
import { KINDS } from '#lib/sources/kinds.ts';
import { RESOURCES } from '#lib/sources/resources.ts';
import { temporaryFolder } from '../support/lake-children.ts';

const berlin = {
  name: 'berlin',
  kind: 'signage',
  baseUrl: 'https://signage.example.com:8443',
  secret: 'signage-export/berlin',
};
const vault = {
  name: 'vault',
  kind: 'backup',
  baseUrl: 'https://backup.example.com',
  accountId: '1042',
  secret: 'signage-export/vault',
};
/** As a message lists them. */
const SIGNAGE_TABLES = RESOURCES.filter(({ kind }) => kind === 'signage')
  .map(({ name }) => name)
  .join(', ');
const least = { name: 'signage', sources: [berlin, vault] };
const parse = (written: object) => parseConfig(JSON.stringify(written), 'export.config.json');

const common = {
  allowHttp: false,
  strict: false,
  maxListingBytes: 2_147_483_648,
  maxFields: 1000,
  maxDepth: 64,
  maxColumns: 300,
  resources: {},
};
const ofSignage = { basePath: '/gv2/webservices/API', apiVersion: '1.12' };
const ofBackup = { basePath: '', product: 'backup', versions: { pricing: 1, storages: 1, slots: 0 } };

describe('config', () => {
  it('has the defaults of the contract, by kind of source', () => {
    expect(parse(least)).toEqual({
      name: 'signage',
      schedule: 'cron(0 3 * * ? *)',
      timeZone: 'UTC',
      groups: ['City'],
      minCoverage: 0.95,
      maxShrink: 0.3,
      publishHours: 2,
      rawRetentionDays: 30,
      dailyRetentionDays: null,
      queryGiB: 10,
      sources: [
        { ...berlin, ...common, ...ofSignage, concurrency: 8, requestsPerSecond: 20 },
        { ...vault, ...common, ...ofBackup, concurrency: 2, requestsPerSecond: 1 },
      ],
    });
  });

  it('keeps everything that is set', async () => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, 'ca'));
    await writeFile(join(folder.path, 'ca', 'own.pem'), rootCertificates[0] ?? '');
    const all = {
      name: 'signage_2-x',
      schedule: 'rate(12 hours)',
      timeZone: 'Europe/Berlin',
      groups: ['City', 'CustomId'],
      minCoverage: 1,
      maxShrink: 0,
      publishHours: 6,
      rawRetentionDays: 0,
      dailyRetentionDays: 400,
      queryGiB: 50,
      maskSecret: 'signage-export/mask',
      alarmEmail: 'ops@example.com',
      kmsKeyArn: 'arn:aws:kms:eu-central-1:123456789012:key/12345678-1234-1234-1234-123456789012',
      tags: { team: 'signage' },
      sources: [
        {
          ...berlin,
          basePath: '/API',
          apiVersion: '2',
          concurrency: 64,
          requestsPerSecond: null,
          timeZone: 'America/New_York',
          caFile: 'ca/own.pem',
          allowHttp: true,
          strict: true,
          maxListingBytes: 1_048_576,
          maxFields: 2000,
          maxDepth: 32,
          maxColumns: 500,
          resources: {
            players: {
              items: 'data.items',
              id: 'PlayerId',
              paging: 'none',
              columns: { zip: { type: 'timestamp', format: 'iso-local' } },
              drop: ['Notes'],
              mask: ['Name'],
            },
            screens: { path: '/x/Players/{id}/Displays' },
          },
        },
        {
          ...vault,
          basePath: '/proxy/backup~1',
          product: 'cloud',
          versions: { slots: 2 },
          resources: { backup_pricing: { path: '/prices' } },
        },
      ],
    };
    const file = join(folder.path, 'export.config.json');
    await writeFile(file, `\uFEFF${JSON.stringify(all, null, 2)}\n`);
    const none = { columns: {}, drop: [], mask: [] };
    expect(await readConfig(file)).toEqual({
      ...all,
      sources: [
        {
          ...all.sources[0],
          caFile: join(folder.path, 'ca', 'own.pem'),
          resources: { ...all.sources[0]?.resources, screens: { ...none, path: '/x/Players/{id}/Displays' } },
        },
        {
          ...common,
          ...all.sources[1],
          concurrency: 2,
          requestsPerSecond: 1,
          versions: { ...ofBackup.versions, slots: 2 },
          resources: { backup_pricing: { ...none, path: '/prices' } },
        },
      ],
    });
  });

  it.each([
    ['https://signage.example.com/', 'https://signage.example.com'],
    ['HTTPS://Signage.Example.com:443', 'https://signage.example.com'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://127.8.9.1:80', 'http://127.8.9.1'],
    ['http://[::1]:8080/', 'http://[::1]:8080'],
  ])('takes the origin %s as %s', (baseUrl, origin) => {
    expect(parse({ ...least, sources: [{ ...berlin, baseUrl }] }).sources[0]?.baseUrl).toBe(origin);
  });
});

/** What a config is refused with; undefined where it is taken. */
function refusal(written: object): ConfigInvalid | undefined {
  try {
    parse(written);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigInvalid) return error;
    throw error;
  }
}

const top = (given: object) => ({ ...least, ...given });
const signage = (given: object) => ({ ...least, sources: [{ ...berlin, ...given }] });
const backup = (given: object) => ({ ...least, sources: [berlin, { ...vault, ...given }] });
const without = (from: object, key: string) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => name !== key));

const KIND_NAMES = KINDS.map(({ kind }) => `"${kind}"`).join(' or ');
const DATABASE =
  'a name for a Glue database: a letter a-z, then up to 39 of a-z and 0-9, with single _ and - between them';
const SCHEDULE = 'a schedule such as "cron(0 3 * * ? *)" or "rate(1 day)"';
const ORIGIN = 'https:// and a host, such as';

describe('a mistake in the config is one sentence with file, field, value and cure:', () => {
  it.each<[object, string]>([
    [[], 'the config is [], but must be the settings of the config, in { }'],
    [without(least, 'name'), `name is missing; it must be ${DATABASE}`],
    [top({ name: 'Signage' }), `name is "Signage", but must be ${DATABASE}`],
    [top({ name: '1st' }), `name is "1st", but must be ${DATABASE}`],
    [top({ name: 5 }), `name is 5, but must be ${DATABASE}`],
    [top({ mincoverage: 1 }), 'mincoverage is no setting of the config; did you mean minCoverage'],
    [
      top({ flavour: 1 }),
      'flavour is no setting of the config; remove it, or write one of name, schedule, timeZone, minCoverage, maxShrink, publishHours, rawRetentionDays, dailyRetentionDays, maskSecret, groups, hours, targets, mute, alarmEmail, alarmTopicArn, notify, kmsKeyArn, secretsKmsKeyArn, catalogKmsKeyArn, permissionsBoundaryArn, readers, lakeFormation, queryGiB, tags, vpc, sources, $schema',
    ],
    [
      top({ schedule: '0 3 * * *' }),
      `schedule is "0 3 * * *", but must be ${SCHEDULE}: write cron( ) with 6 fields, or rate( ) with a number and a unit`,
    ],
    [
      top({ schedule: 'cron(0 3 * * *)' }),
      `schedule is "cron(0 3 * * *)", but must be ${SCHEDULE}: cron has 5 fields, and takes 6`,
    ],
    [
      top({ schedule: 'rate(1 days)' }),
      `schedule is "rate(1 days)", but must be ${SCHEDULE}: write cron( ) with 6 fields, or rate( ) with a number and a unit`,
    ],
    [
      top({ schedule: 'rate(0 days)' }),
      `schedule is "rate(0 days)", but must be ${SCHEDULE}: write cron( ) with 6 fields, or rate( ) with a number and a unit`,
    ],
    [
      top({ timeZone: 'Berlin' }),
      'timeZone is "Berlin", but must be an IANA time zone such as "Europe/Berlin"',
    ],
    [
      top({ timeZone: '+01:00' }),
      'timeZone is "+01:00", but must be an IANA time zone such as "Europe/Berlin"',
    ],
    [
      top({ timeZone: 'europe/paris' }),
      'timeZone is "europe/paris", but must be an IANA time zone such as "Europe/Paris"',
    ],
    [top({ minCoverage: 95 }), 'minCoverage is 95, but must be a share, from 0 to 1'],
    [top({ maxShrink: -0.1 }), 'maxShrink is -0.1, but must be a share, from 0 to 1'],
    [top({ maxShrink: '30%' }), 'maxShrink is "30%", but must be a share, from 0 to 1'],
    [
      top({ rawRetentionDays: -1 }),
      'rawRetentionDays is -1, but must be days, a whole number from 0 to 36500',
    ],
    [
      top({ rawRetentionDays: 1.5 }),
      'rawRetentionDays is 1.5, but must be days, a whole number from 0 to 36500',
    ],
    [
      top({ dailyRetentionDays: 0 }),
      'dailyRetentionDays is 0, but must be days, or null for ever, a whole number from 1 to 36500',
    ],
    [top({ alarmEmail: 'ops' }), 'alarmEmail is "ops", but must be an address such as "ops@example.com"'],
    [top({ kmsKeyArn: 'key' }), 'kmsKeyArn is "key", but must be the ARN of a KMS key, not of an alias'],
    [
      top({ kmsKeyArn: 'arn:aws:kms:eu-central-1:123456789012:alias/foo' }),
      'kmsKeyArn is "arn:aws:kms:eu-central-1:123456789012:alias/foo", but must be the ARN of a KMS key, not of an alias',
    ],
    [without(least, 'sources'), 'sources is missing; it must be a list of sources, in [ ]'],
    [top({ sources: {} }), 'sources is an object, but must be a list of sources, in [ ]'],
    [top({ sources: [] }), 'sources is [], but must be a list of at least one source'],
    [top({ sources: ['berlin'] }), 'sources[0] is "berlin", but must be the settings of a source, in { }'],
    [
      top({ sources: [berlin, vault, berlin] }),
      'sources[2].name is "berlin", but must be another name: sources[0] has it already',
    ],
    [top({ sources: [without(berlin, 'kind')] }), `sources[0].kind is missing; it must be ${KIND_NAMES}`],
    [
      signage({ kind: 'Signage' }),
      `sources[0].kind is "Signage", but must be ${KIND_NAMES}; did you mean "signage"`,
    ],
    ...['evn', 'ENV', 'eenv'].map((word): [object, string] => [
      signage({ secret: `${word}:KEY` }),
      `sources[0].secret is "${word}:KEY", but must be the name of a secret, or a place that begins with env:, file: or exec:; did you mean env:`,
    ]),
    [
      signage({ name: 'Berlin' }),
      'sources[0].name is "Berlin", but must be 1 to 63 of a-z, 0-9, _ and -, not _ or - first',
    ],
    [
      signage({ name: 'a/b' }),
      'sources[0].name is "a/b", but must be 1 to 63 of a-z, 0-9, _ and -, not _ or - first',
    ],
    [
      top({ sources: [without(berlin, 'secret')] }),
      'sources[0].secret is missing; it must be the name of a secret',
    ],
    [
      signage({ secret: { apiKey: 'leaked' } }),
      'sources[0].secret is an object, but must be the name of a secret',
    ],
    [
      signage({ apiKey: 'leaked' }),
      'sources[0].apiKey is no setting of a signage source: put it into the secret that the setting secret names',
    ],
    [signage({ baseURL: 'x' }), 'sources[0].baseURL is no setting of a signage source; did you mean baseUrl'],
    [
      signage({ accountId: '1042' }),
      'sources[0].accountId is no setting of a signage source; remove it, or write one of name, was, kind, baseUrl, basePath, secret, concurrency, requestsPerSecond, timeZone, caFile, allowHttp, strict, maxListingBytes, maxFields, maxDepth, maxColumns, resources, apiVersion, playerUrl',
    ],
    [
      top({ sources: [without(berlin, 'baseUrl')] }),
      `sources[0].baseUrl is missing; it must be ${ORIGIN} "https://signage.example.com:8443"`,
    ],
    ...[
      'javascript:alert({id})',
      'https://cms.example.com/players',
      '/players/{id}',
      'https://{id}.example.com/',
    ].map((playerUrl): [object, string] => [
      signage({ playerUrl }),
      `sources[0].playerUrl is ${JSON.stringify(playerUrl)}, but must be the address of a player in the platform, with {id} for its id, such as "https://signage.example.com/#/players/{id}"`,
    ]),
    [
      signage({ baseUrl: 'signage.example.com' }),
      `sources[0].baseUrl is "signage.example.com", but must be ${ORIGIN} https://signage.example.com:8443`,
    ],
    [
      signage({ baseUrl: 'ftp://signage.example.com' }),
      `sources[0].baseUrl is "ftp://signage.example.com", but must be ${ORIGIN} https://signage.example.com:8443`,
    ],
    ...[
      ['/proxy/', '/proxy/gv2/webservices/API'],
      ['/gv2', '/gv2/webservices/API'],
      ['/x/gv2/webservices/API', '/x/gv2/webservices/API'],
      ['/gv2/webservices/API/v1.12', '/gv2/webservices/API'],
    ].map(([path, basePath]): [object, string] => [
      signage({ baseUrl: `https://a.example${path}` }),
      `sources[0].baseUrl is "https://a.example${path}", but must be https://a.example alone, with "basePath": "${basePath}"`,
    ]),
    [
      signage({ baseUrl: 'https://a.example/proxy', basePath: '/api' }),
      'sources[0].baseUrl is "https://a.example/proxy", but must be https://a.example alone, with "basePath": "/proxy/api"',
    ],
    [
      backup({ baseUrl: 'https://a.example/proxy/storages/' }),
      'sources[1].baseUrl is "https://a.example/proxy/storages/", but must be https://a.example alone, with "basePath": "/proxy/storages"',
    ],
    [
      backup({ baseUrl: 'https://a.example/proxy/1/backup' }),
      'sources[1].baseUrl is "https://a.example/proxy/1/backup", but must be https://a.example alone, with "basePath": "/proxy"',
    ],
    [
      backup({ baseUrl: 'https://a.example/1/backup' }),
      'sources[1].baseUrl is "https://a.example/1/backup", but must be https://a.example alone',
    ],
    [
      backup({ basePath: '/proxy/../x' }),
      'sources[1].basePath is "/proxy/../x", but must be a path such as "/storages", without / at its end',
    ],
    [
      signage({ baseUrl: 'https://a.example?key=leaked' }),
      'sources[0].baseUrl is "https://a.example…", but must be https://a.example, without ? and #',
    ],
    [
      signage({ baseUrl: 'https://a.example/#x' }),
      'sources[0].baseUrl is "https://a.example/…", but must be https://a.example, without ? and #',
    ],
    [
      signage({ baseUrl: 'https://me:leaked/@a.example' }),
      `sources[0].baseUrl is "https://…@a.example", but must be ${ORIGIN} https://signage.example.com:8443`,
    ],
    [
      signage({ baseUrl: 'https://me:leaked@a.example' }),
      'sources[0].baseUrl is "https://…@a.example", but must be without user and password, which would reach logs: put them into the secret',
    ],
    [
      signage({ baseUrl: 'http://a.example' }),
      'sources[0].baseUrl is "http://a.example", but must be https://, for over http:// anybody on the way reads the key; set allowHttp to true to accept that',
    ],
    [
      signage({ baseUrl: 'http://evil.localhost' }),
      'sources[0].baseUrl is "http://evil.localhost", but must be https://, for over http:// anybody on the way reads the key; set allowHttp to true to accept that',
    ],
    [
      signage({ baseUrl: 'http://127.0.0.1.example' }),
      'sources[0].baseUrl is "http://127.0.0.1.example", but must be https://, for over http:// anybody on the way reads the key; set allowHttp to true to accept that',
    ],
    [signage({ allowHttp: 'yes' }), 'sources[0].allowHttp is "yes", but must be true or false'],
    [
      signage({ concurrency: 0 }),
      'sources[0].concurrency is 0, but must be calls in flight, a whole number from 1 to 1000',
    ],
    [
      signage({ requestsPerSecond: 0 }),
      'sources[0].requestsPerSecond is 0, but must be calls a second, from 0.01 to 10000, or null for no limit',
    ],
    [
      signage({ maxListingBytes: 10 }),
      'sources[0].maxListingBytes is 10, but must be bytes, a whole number from 1048576 to 68719476736',
    ],
    [
      signage({ apiVersion: 1.12 }),
      'sources[0].apiVersion is 1.12, but must be a version in quotes, such as "1.12"',
    ],
    [
      signage({ basePath: '/API/' }),
      'sources[0].basePath is "/API/", but must be a path such as "/gv2/webservices/API", without / at its end',
    ],
    [
      signage({ timeZone: 'CEST' }),
      'sources[0].timeZone is "CEST", but must be an IANA time zone such as "Europe/Berlin"',
    ],
    [
      signage({ caFile: 'no.pem' }),
      `sources[0].caFile is "no.pem", but there is no file ${join(process.cwd(), 'no.pem')}; put the certificates there, or remove sources[0].caFile`,
    ],
    [
      signage({ caFile: 'test' }),
      `sources[0].caFile is "test", but ${join(process.cwd(), 'test')} is a folder; name a readable file with PEM certificates, or remove sources[0].caFile`,
    ],
    [
      signage({ caFile: 'package.json' }),
      `sources[0].caFile is "package.json", but ${join(process.cwd(), 'package.json')} holds no PEM certificate; name a readable file with PEM certificates, or remove sources[0].caFile`,
    ],
    [
      signage({ resources: { players: { id: 'none' } } }),
      'sources[0].resources.players.id is "none", but must be the name of a field, because screens are requested by it',
    ],
    [
      signage({ resources: { screens: { paging: 'weird' } } }),
      'sources[0].resources.screens.paging is "weird", but must be none, link[:RELATION], next[@PLACE], cursor[:PARAM][@PLACE], page[:PARAM[=FIRST]], offset[:PARAM[=FIRST]] or range[:PARAM], each with ,SIZEPARAM=SIZE behind it if needed; PLACE is a member such as metadata.continue, header:NAME, or last:FIELD of the last record',
    ],
    [
      signage({ resources: { players: { columns: { seen: { format: 'weird' } } } } }),
      'sources[0].resources.players.columns.seen.format is "weird", but must be one of iso, /Date(ms)/, rfc1123, iso-local, DD.MM.YYYY hh:mm:ss, DD/MM/YYYY hh:mm:ss, MM/DD/YYYY hh:mm:ss, unix-seconds, unix-milliseconds, unix-microseconds, unix-nanoseconds, YYYY-MM-DD, DD.MM.YYYY, DD/MM/YYYY, MM/DD/YYYY',
    ],
    [
      signage({ resources: { screens: { mask: [] }, players: { mask: ['Name'] } } }),
      'maskSecret is missing; it must be the name of the secret {"key": "…"} with which sources[0].resources.players.mask hides values',
    ],
    [
      signage({ resources: { Screens: {} } }),
      'sources[0].resources.Screens is no setting of the resources of a signage source; did you mean screens',
    ],
    [
      signage({ resources: { backup_slots: {} } }),
      `sources[0].resources.backup_slots is no setting of the resources of a signage source; remove it, or write one of ${SIGNAGE_TABLES}`,
    ],
    [
      signage({ resources: { screens: { itmes: '$' } } }),
      'sources[0].resources.screens.itmes is no setting of screens; did you mean items',
    ],
    [
      signage({ resources: { screens: { items: '' } } }),
      'sources[0].resources.screens.items is "", but must be where the records are: "$", a key path such as "data.items", or "{}"',
    ],
    [
      signage({ resources: { screens: { path: '/Displays' } } }),
      'sources[0].resources.screens.path is "/Displays", but must be a path such as "/0/backup/{id}/slot" or "/screens?playerId={id}", with {id} once and without #',
    ],
    [
      signage({ resources: { screens: { path: '/../{id}' } } }),
      'sources[0].resources.screens.path is "/../{id}", but must be a path such as "/0/backup/{id}/slot" or "/screens?playerId={id}", with {id} once and without #',
    ],
    [
      signage({ resources: { players: { path: 'https://evil.example/' } } }),
      'sources[0].resources.players.path is "https://evil.example/", but must be a path such as "/1/backup" or "/players?limit=100", without {id} and #',
    ],
    [
      signage({ resources: { players: { columns: { zip: { type: 'string' } } } } }),
      'sources[0].resources.players.columns.zip.type is "string", but must be one of boolean, bigint, decimal(38,9), double, date, timestamp, varchar',
    ],
    [
      signage({ resources: { players: { drop: 'Name' } } }),
      'sources[0].resources.players.drop is "Name", but must be a list of API paths',
    ],
    [
      top({ sources: [berlin, without(vault, 'accountId')] }),
      'sources[1].accountId is missing; it must be the account in quotes, such as "1042"',
    ],
    [
      backup({ accountId: 1042 }),
      'sources[1].accountId is 1042, but must be the account in quotes, such as "1042"',
    ],
    [
      backup({ versions: { pricing: 'v1' } }),
      'sources[1].versions.pricing is "v1", but must be the version of a call, a whole number from 0 to 1000',
    ],
    [
      backup({ versions: { slot: 1 } }),
      'sources[1].versions.slot is no setting of the versions; did you mean slots',
    ],
    [
      backup({ product: 'a/b' }),
      'sources[1].product is "a/b", but must be one segment of a path, such as "backup"',
    ],
    [
      signage({ name: 'x'.repeat(64) }),
      `sources[0].name is "${'x'.repeat(59)}…, but must be 1 to 63 of a-z, 0-9, _ and -, not _ or - first`,
    ],
  ])('%j', (written, sentence) => {
    const refused = refusal(written);
    expect(refused).toBeInstanceOf(UsageError);
    expect(refused?.message).toBe(`export.config.json: ${sentence}.`);
  });

  it('not JSON', () => {
    expect(() => parseConfig('{\n  "name": "x", // mine\n}', 'my.json')).toThrow(
      new UsageError('my.json is no JSON: line 2, column 16: JSON has no comments: remove this one.'),
    );
  });

  it('no file', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'export.config.json');
    await expect(readConfig(file)).rejects.toThrow(
      new UsageError(
        `The config ${file} does not exist: write the first one with \`init\`, or name another with --config.`,
        'CONFIG_MISSING',
      ),
    );
    await writeFile(join(folder.path, 'exprt.config.json'), '{}');
    await expect(readConfig(file)).rejects.toThrow(
      `did you mean ${join(folder.path, 'exprt.config.json')}? Else`,
    );
    await expect(readConfig(folder.path)).rejects.toThrow(
      new UsageError(
        `The config ${folder.path} is a folder: name the file in it with --config, such as ${join(folder.path, 'export.config.json')}.`,
      ),
    );
  });
});

describe('all mistakes of a config are said at once', () => {
  it.each([
    ['signage', 'signge'],
    ['backup', 'backups'],
    ['signage', 'display'],
    ['backup', undefined],
  ])('also those of a %s source whose kind is %j', (kind, written) => {
    const own = kind === 'backup' ? { product: 'a b', accountId: '1' } : { apiVersion: 5 };
    const source = {
      name: 'a',
      kind: written,
      baseUrl: 'a.example',
      secret: 'evn:KEY',
      concurency: 1,
      ...own,
    };
    const config = { name: 'signage', minCoverage: 95, sources: [source] };
    const { faults } = refusal(config) as ConfigInvalid;
    const wrong = kind === 'backup' ? 'product' : 'apiVersion';
    expect(faults.map(({ field }) => field).sort()).toEqual(
      [
        'minCoverage',
        ...['kind', 'baseUrl', 'secret', 'concurency', wrong].map((name) => `sources[0].${name}`),
      ].sort(),
    );
  });

  /** Settings that are wrong by themselves, or with what is next to them, by the field that a message names. */
  const WRONG: Readonly<Record<string, (config: ReturnType<typeof twoSources>) => void>> = {
    name: (config) => Object.assign(config, { name: 5 }),
    minCoverage: (config) => Object.assign(config, { minCoverage: 95 }),
    flavour: (config) => Object.assign(config, { flavour: 1 }),
    mincoverage: (config) => Object.assign(config, { mincoverage: 1 }),
    timeZone: (config) => Object.assign(config, { timeZone: 'Europe/Berln' }),
    maskSecret: ({ sources: [berlin] }) => Object.assign(berlin.resources.players, { mask: ['Name'] }),
    'notify.form': (config) => Object.assign(config, { notify: { webhookSecret: 'x', form: 'slak' } }),
    'sources[0].baseUrl': ({ sources: [berlin] }) => Object.assign(berlin, { baseUrl: 'http://a.example' }),
    'sources[0].caFile': ({ sources: [berlin] }) => Object.assign(berlin, { caFile: 'no.pem' }),
    'sources[0].concurrency': ({ sources: [berlin] }) => Object.assign(berlin, { concurrency: 'all' }),
    'sources[0].apiKey': ({ sources: [berlin] }) => Object.assign(berlin, { apiKey: 'k' }),
    'sources[0].resources.players.columns.a.as': ({ sources: [berlin] }) =>
      Object.assign(berlin.resources.players.columns, { a: { as: 'player_id' } }),
    'sources[0].resources.players.columns.b.type': ({ sources: [berlin] }) =>
      Object.assign(berlin.resources.players.columns, { b: { type: 'datetime' } }),
    'sources[1].name': ({ sources: [, vault] }) => Object.assign(vault, { name: 'berlin' }),
    'sources[1].accountId': ({ sources: [, vault] }) => Object.assign(vault, { accountId: 1042 }),
    'sources[2].kind': ({ sources: [, , third] }) => Object.assign(third, { kind: 'Signage' }),
    'resources.players.columns.zip': ({ sources: [berlin, , third] }) => {
      Object.assign(berlin.resources.players.columns, { zip: { type: 'varchar' } });
      Object.assign(third.resources.players.columns, { zip: { type: 'bigint' } });
    },
  };
  const twoSources = () => ({
    name: 'signage',
    sources: [
      { ...berlin, resources: { players: { columns: {} } } },
      { ...vault },
      { ...berlin, name: 'third', resources: { players: { columns: {} } } },
    ] as const,
  });
  const fields = Object.keys(WRONG);

  it('any of them, with any others, each with its field', () => {
    fc.assert(
      fc.property(fc.subarray(fields, { minLength: 1 }), (chosen) => {
        const config = twoSources();
        for (const field of chosen) WRONG[field]?.(config);
        const found = refusal(config)?.faults.map(({ field }) => field) ?? [];
        expect([...found].sort()).toEqual([...chosen].sort());
      }),
    );
  });

  it('as lines, each with its value, its cure, and what was probably meant', () => {
    const config = twoSources();
    for (const field of ['mincoverage', 'timeZone', 'notify.form', 'sources[0].apiKey'])
      WRONG[field]?.(config);
    expect(refusal(config)?.message.split('\n')).toEqual([
      'export.config.json has 4 mistakes:',
      '  timeZone is "Europe/Berln", but must be an IANA time zone such as "Europe/Berlin".',
      '  notify.form is "slak", but must be one of json, slack, teams; did you mean "slack".',
      '  sources[0].apiKey is no setting of a signage source: put it into the secret that the setting secret names.',
      '  mincoverage is no setting of the config; did you mean minCoverage.',
    ]);
  });
});
