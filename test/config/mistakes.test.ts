import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '#lib/config/parse-config.ts';
import { UsageError } from '#lib/errors.ts';
import { KINDS } from '#lib/sources/kinds.ts';
import { RESOURCES } from '#lib/sources/resources.ts';
import { berlin, least, refusal, vault } from './written.ts';

/** As a message lists them. */
const SIGNAGE_TABLES = RESOURCES.filter(({ kind }) => kind === 'signage')
  .map(({ name }) => name)
  .join(', ');

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

/** Configs by what is said of them. */
const SAID: Readonly<Record<string, object>> = {
  'the config is [], but must be the settings of the config, in { }': [],
  [`name is missing; it must be ${DATABASE}`]: without(least, 'name'),
  'mincoverage is no setting of the config; did you mean minCoverage': top({ mincoverage: 1 }),
  'flavour is no setting of the config; remove it, or write one of name, schedule, timeZone, minCoverage, maxShrink, publishHours, rawRetentionDays, dailyRetentionDays, maskSecret, groups, hours, targets, mute, alarmEmail, alarmTopicArn, notify, kmsKeyArn, secretsKmsKeyArn, catalogKmsKeyArn, permissionsBoundaryArn, readers, lakeFormation, queryGiB, tags, vpc, sources, $schema':
    top({ flavour: 1 }),
  'sources is an object, but must be a list of sources, in [ ]': top({ sources: {} }),
  'sources[2].name is "berlin", but must be another name: sources[0] has it already': top({
    sources: [berlin, vault, berlin],
  }),
  [`sources[0].kind is missing; it must be ${KIND_NAMES}`]: top({ sources: [without(berlin, 'kind')] }),
  'sources[0].secret is missing; it must be the name of a secret': top({
    sources: [without(berlin, 'secret')],
  }),
  'sources[1].accountId is missing; it must be the account in quotes, such as "1042"': top({
    sources: [berlin, without(vault, 'accountId')],
  }),
  'sources[0].secret is an object, but must be the name of a secret': signage({
    secret: { apiKey: 'leaked' },
  }),
  'sources[0].apiKey is no setting of a signage source: put it into the secret that the setting secret names':
    signage({ apiKey: 'leaked' }),
  'sources[0].baseURL is no setting of a signage source; did you mean baseUrl': signage({ baseURL: 'x' }),
  'sources[0].accountId is no setting of a signage source; remove it, or write one of name, was, kind, baseUrl, basePath, secret, concurrency, requestsPerSecond, timeZone, caFile, allowHttp, strict, maxListingBytes, maxFields, maxDepth, maxColumns, resources, apiVersion, playerUrl':
    signage({ accountId: '1042' }),
  [`sources[0].baseUrl is "https://a.example/proxy", but must be ${alone('/proxy/api')}`]: signage({
    baseUrl: 'https://a.example/proxy',
    basePath: '/api',
  }),
  'sources[0].baseUrl is "https://a.example…", but must be https://a.example, without ? and #': signage({
    baseUrl: 'https://a.example?key=leaked',
  }),
  [`sources[0].baseUrl is "https://…@a.example", but must be ${ORIGIN} ${EXAMPLE}`]: signage({
    baseUrl: 'https://me:leaked/@a.example',
  }),
  'sources[0].baseUrl is "https://…@a.example", but must be without user and password, which would reach logs: put them into the secret':
    signage({ baseUrl: 'https://me:leaked@a.example' }),
  'maskSecret is missing; it must be the name of the secret {"key": "…"} with which sources[0].resources.players.mask hides values':
    signage({ resources: { screens: { mask: [] }, players: { mask: ['Name'] } } }),
  [`sources[0].resources.backup_slots is no setting of the resources of a signage source; remove it, or write one of ${SIGNAGE_TABLES}`]:
    signage({ resources: { backup_slots: {} } }),
  'sources[0].resources.screens.itmes is no setting of screens; did you mean items': signage({
    resources: { screens: { itmes: '$' } },
  }),
  [`sources[0].name is "${'x'.repeat(59)}…, but must be ${NAME}`]: signage({ name: 'x'.repeat(64) }),
};

describe('a mistake in the config is one sentence with file, field, value and cure:', () => {
  it.each<[object, string]>([
    ...wrong(top, '', OF_THE_CONFIG),
    ...wrong(signage, 'sources[0].', OF_SIGNAGE),
    ...wrong(backup, 'sources[1].', OF_BACKUP),
    ...Object.entries(SAID).map(([says, written]): [object, string] => [written, says]),
    ...[
      ['no.pem', 'there is no file FILE; put the certificates there'],
      ['test', 'FILE is a folder; name a readable file with PEM certificates'],
      ['package.json', 'FILE holds no PEM certificate; name a readable file with PEM certificates'],
    ].map(([caFile = '', says = '']): [object, string] => [
      signage({ caFile }),
      `sources[0].caFile is "${caFile}", but ${says.replace('FILE', join(process.cwd(), caFile))}, or remove sources[0].caFile`,
    ]),
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
});
