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

/** Settings that are another value than they must be: what it must be, by the field that the message names. */
type Wrong = readonly (readonly [field: string, value: unknown, due: string])[];

const wrong = (config: (given: object) => object, prefix: string, all: Wrong) =>
  all.map(([field, value, due]): [object, string] => [
    config(nested(field.split('.'), value)),
    `${prefix}${field} is ${JSON.stringify(value)}, but must be ${due}`,
  ]);

function nested([name = '', ...below]: readonly string[], value: unknown): object {
  return { [name]: below.length === 0 ? value : nested(below, value) };
}

const FORM = 'write cron( ) with 6 fields, or rate( ) with a number and a unit';
const ZONE = 'an IANA time zone such as';
const KMS = 'the ARN of a KMS key, not of an alias';
const ALIAS = 'arn:aws:kms:eu-central-1:123456789012:alias/foo';
const OF_THE_CONFIG: Wrong = [
  ['name', 'Signage', DATABASE],
  ['schedule', '0 3 * * *', `${SCHEDULE}: ${FORM}`],
  ['timeZone', 'Berlin', `${ZONE} "Europe/Berlin"`],
  ['timeZone', 'europe/paris', `${ZONE} "Europe/Paris"`],
  ['minCoverage', 95, 'a share, from 0 to 1'],
  ['maxShrink', -0.1, 'a share, from 0 to 1'],
  ['rawRetentionDays', -1, 'days, a whole number from 0 to 36500'],
  ['dailyRetentionDays', 0, 'days, or null for ever, a whole number from 1 to 36500'],
  ['alarmEmail', 'ops', 'an address such as "ops@example.com"'],
  ['kmsKeyArn', 'key', KMS],
  ['kmsKeyArn', ALIAS, KMS],
  ['sources', [], 'a list of at least one source'],
];

const NAME = '1 to 63 of a-z, 0-9, _ and -, not _ or - first';
const PLACES = 'the name of a secret, or a place that begins with env:, file: or exec:; did you mean env:';
const PLAYER =
  'the address of a player in the platform, with {id} for its id, such as "https://signage.example.com/#/players/{id}"';
const PLAIN =
  'https://, for over http:// anybody on the way reads the key; set allowHttp to true to accept that';
const path = (example: string) => `a path such as "${example}", without / at its end`;
const CHILD =
  'a path such as "/0/backup/{id}/slot" or "/screens?playerId={id}", with {id} once and without #';
const EXAMPLE = 'https://signage.example.com:8443';
/** An address with a path, and where the path belongs. */
const ADDRESSES = [
  ['/proxy/', '/proxy/gv2/webservices/API'],
  ['/gv2', '/gv2/webservices/API'],
  ['/x/gv2/webservices/API', '/x/gv2/webservices/API'],
  ['/gv2/webservices/API/v1.12', '/gv2/webservices/API'],
] as const;
const alone = (basePath: string) => `https://a.example alone, with "basePath": "${basePath}"`;
const OF_SIGNAGE: Wrong = [
  ['kind', 'Signage', `${KIND_NAMES}; did you mean "signage"`],
  ...['evn:KEY', 'ENV:KEY', 'eenv:KEY'].map((secret) => ['secret', secret, PLACES] as const),
  ['name', 'Berlin', NAME],
  ['playerUrl', 'javascript:alert({id})', PLAYER],
  ['playerUrl', 'https://cms.example.com/players', PLAYER],
  ['playerUrl', 'https://{id}.example.com/', PLAYER],
  ['baseUrl', 'signage.example.com', `${ORIGIN} ${EXAMPLE}`],
  ...ADDRESSES.map(([at, base]) => ['baseUrl', `https://a.example${at}`, alone(base)] as const),
  ['baseUrl', 'http://a.example', PLAIN],
  ['baseUrl', 'http://evil.localhost', PLAIN],
  ['baseUrl', 'http://127.0.0.1.example', PLAIN],
  ['allowHttp', 'yes', 'true or false'],
  ['concurrency', 0, 'calls in flight, a whole number from 1 to 1000'],
  ['requestsPerSecond', 0, 'calls a second, from 0.01 to 10000, or null for no limit'],
  ['maxListingBytes', 10, 'bytes, a whole number from 1048576 to 68719476736'],
  ['apiVersion', 1.12, 'a version in quotes, such as "1.12"'],
  ['basePath', '/API/', path('/gv2/webservices/API')],
  ['resources.players.id', 'none', 'the name of a field, because screens are requested by it'],
  [
    'resources.screens.paging',
    'weird',
    'none, link[:RELATION], next[@PLACE], cursor[:PARAM][@PLACE], page[:PARAM[=FIRST]], offset[:PARAM[=FIRST]] or range[:PARAM], each with ,SIZEPARAM=SIZE behind it if needed; PLACE is a member such as metadata.continue, header:NAME, or last:FIELD of the last record',
  ],
  [
    'resources.players.columns.seen.format',
    'weird',
    'one of iso, /Date(ms)/, rfc1123, iso-local, DD.MM.YYYY hh:mm:ss, DD/MM/YYYY hh:mm:ss, MM/DD/YYYY hh:mm:ss, unix-seconds, unix-milliseconds, unix-microseconds, unix-nanoseconds, YYYY-MM-DD, DD.MM.YYYY, DD/MM/YYYY, MM/DD/YYYY',
  ],
  ['resources.screens.items', '', 'where the records are: "$", a key path such as "data.items", or "{}"'],
  ['resources.screens.path', '/Displays', CHILD],
  ['resources.screens.path', '/../{id}', CHILD],
  [
    'resources.players.path',
    'https://evil.example/',
    'a path such as "/1/backup" or "/players?limit=100", without {id} and #',
  ],
  [
    'resources.players.columns.zip.type',
    'string',
    'one of boolean, bigint, decimal(38,9), double, date, timestamp, varchar',
  ],
  ['resources.players.drop', 'Name', 'a list of API paths'],
];

const OF_BACKUP: Wrong = [
  ['baseUrl', 'https://a.example/proxy/storages/', alone('/proxy/storages')],
  ['baseUrl', 'https://a.example/proxy/1/backup', alone('/proxy')],
  ['basePath', '/proxy/../x', path('/storages')],
  ['accountId', 1042, 'the account in quotes, such as "1042"'],
  ['versions.pricing', 'v1', 'the version of a call, a whole number from 0 to 1000'],
  ['product', 'a/b', 'one segment of a path, such as "backup"'],
];

describe('a mistake in the config is one sentence with file, field, value and cure:', () => {
  it.each<[object, string]>([
    ...wrong(top, '', OF_THE_CONFIG),
    ...wrong(signage, 'sources[0].', OF_SIGNAGE),
    ...wrong(backup, 'sources[1].', OF_BACKUP),
    [[], 'the config is [], but must be the settings of the config, in { }'],
    [without(least, 'name'), `name is missing; it must be ${DATABASE}`],
    [top({ mincoverage: 1 }), 'mincoverage is no setting of the config; did you mean minCoverage'],
    [
      top({ flavour: 1 }),
      'flavour is no setting of the config; remove it, or write one of name, schedule, timeZone, minCoverage, maxShrink, publishHours, rawRetentionDays, dailyRetentionDays, maskSecret, groups, hours, targets, mute, alarmEmail, alarmTopicArn, notify, kmsKeyArn, secretsKmsKeyArn, catalogKmsKeyArn, permissionsBoundaryArn, readers, lakeFormation, queryGiB, tags, vpc, sources, $schema',
    ],
    [top({ sources: {} }), 'sources is an object, but must be a list of sources, in [ ]'],
    [
      top({ sources: [berlin, vault, berlin] }),
      'sources[2].name is "berlin", but must be another name: sources[0] has it already',
    ],
    [top({ sources: [without(berlin, 'kind')] }), `sources[0].kind is missing; it must be ${KIND_NAMES}`],
    [
      top({ sources: [without(berlin, 'secret')] }),
      'sources[0].secret is missing; it must be the name of a secret',
    ],
    [
      top({ sources: [berlin, without(vault, 'accountId')] }),
      'sources[1].accountId is missing; it must be the account in quotes, such as "1042"',
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
      signage({ baseUrl: 'https://a.example/proxy', basePath: '/api' }),
      `sources[0].baseUrl is "https://a.example/proxy", but must be ${alone('/proxy/api')}`,
    ],
    [
      signage({ baseUrl: 'https://a.example?key=leaked' }),
      'sources[0].baseUrl is "https://a.example…", but must be https://a.example, without ? and #',
    ],
    [
      signage({ baseUrl: 'https://me:leaked/@a.example' }),
      `sources[0].baseUrl is "https://…@a.example", but must be ${ORIGIN} ${EXAMPLE}`,
    ],
    [
      signage({ baseUrl: 'https://me:leaked@a.example' }),
      'sources[0].baseUrl is "https://…@a.example", but must be without user and password, which would reach logs: put them into the secret',
    ],
    ...[
      ['no.pem', 'there is no file FILE; put the certificates there'],
      ['test', 'FILE is a folder; name a readable file with PEM certificates'],
      ['package.json', 'FILE holds no PEM certificate; name a readable file with PEM certificates'],
    ].map(([caFile = '', says = '']): [object, string] => [
      signage({ caFile }),
      `sources[0].caFile is "${caFile}", but ${says.replace('FILE', join(process.cwd(), caFile))}, or remove sources[0].caFile`,
    ]),
    [
      signage({ resources: { screens: { mask: [] }, players: { mask: ['Name'] } } }),
      'maskSecret is missing; it must be the name of the secret {"key": "…"} with which sources[0].resources.players.mask hides values',
    ],
    [
      signage({ resources: { backup_slots: {} } }),
      `sources[0].resources.backup_slots is no setting of the resources of a signage source; remove it, or write one of ${SIGNAGE_TABLES}`,
    ],
    [
      signage({ resources: { screens: { itmes: '$' } } }),
      'sources[0].resources.screens.itmes is no setting of screens; did you mean items',
    ],
    [signage({ name: 'x'.repeat(64) }), `sources[0].name is "${'x'.repeat(59)}…, but must be ${NAME}`],
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
