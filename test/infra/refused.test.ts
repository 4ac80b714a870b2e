import { describe, expect, it } from 'vitest';
import { refuseMisfits } from '../../infra/refuse-misfits.ts';
import { at, env, key, source, vpc } from './settings.ts';
import { configWith, templateOf } from './synthesized.ts';

const topic = 'arn:aws:sns:us-east-1:111122223333:ops';

const manySecrets = Array.from({ length: 200 }, (_, index) => ({
  ...source(`secret-of-a-customer-by-itself-${index}`),
  name: `s${index}`,
}));
const others = (length: number, of: (index: number) => string) =>
  Array.from({ length }, (_, index) => of(index));
const subnetIds = others(17, (index) => `subnet-${String(index).padStart(8, '0')}`);
const china = 'arn:aws-cn:kms:cn-north-1:111122223333:key/12345678-1234-1234-1234-123456789012';
const elsewhere = '444455556666';
const secretOf = (account: string) => `arn:aws:secretsmanager:eu-central-1:${account}:secret:berlin-aBcDeF`;
const hook = { webhookSecret: 'hook' };
const groups = (count: number) => Array.from({ length: count }, (_, index) => `group${index}`);

/** What synth refuses, in one sentence that names the setting, its value and the cure. */
const MISFITS: readonly (readonly [says: string, settings: object])[] = [
  ['schedule', { schedule: 'cron(0 3 31 2 ? *)' }],
  ['vpc.vpcId is "x", but must be a VPC such as', { vpc: { ...vpc, vpcId: 'x' } }],
  ['vpc.subnetIds is [], but must be', { vpc: { ...vpc, subnetIds: [] } }],
  ['vpc.dnsServers[0] is "ns.corp", but', { vpc: { ...vpc, dnsServers: ['ns.corp'] } }],
  ['maskSecret is "env:MASK_KEY", which a run', { maskSecret: 'env:MASK_KEY' }],
  ['vpc and maskSecret exclude each other', { vpc, maskSecret: 'masks' }],
  ['alarmEmail and alarmTopicArn exclude each other', { alarmTopicArn: topic }],
  [`kmsKeyArn is "${key}", which is in us-east-1`, { kmsKeyArn: key }],
  ['not of an alias', { secretsKmsKeyArn: `${key.split(':key/')[0]}:alias/a` }],
  [
    'sources[0].secret is "arn:aws:secretsmanager:us-east-1',
    { sources: [source('arn:aws:secretsmanager:us-east-1:111122223333:secret:berlin-aBcDeF')] },
  ],
  ['such as "signage/secret-of-a-customer-by-itself-0"', { sources: manySecrets }],
  ['a managed policy', { permissionsBoundaryArn: 'arn:aws:iam::111122223333:role/x' }],
  ['notify is an object, but must be settings with topicArn', { notify: { runs: 'all' } }],
  ['notify.form is "pdf"', { notify: { webhookSecret: 'hook', form: 'pdf' } }],
  ['notify.topicArn is "arn:aws:sns', { notify: { topicArn: topic } }],
  ['lakeFormation.readers[0] is "ops", but must be the ARN of a', { lakeFormation: { readers: ['ops'] } }],
  ['and none begins with aws:', { tags: { 'AWS:x': 'y' } }],
  ['IAM takes them for the same', { tags: { Team: 'a', team: 'b' } }],
  ['application and installation', { tags: { Application: 'x' } }],
  ['tags.owner is "Müller, Hans", but must be', { tags: { owner: 'Müller, Hans' } }],
  ['a list of at most 20 names of groups', { readers: groups(21) }],
  ['vpc.dnsServers[0]', { vpc: { ...vpc, dnsServers: ['999.1.1.1'] } }],
  ['name is "primary", which AWS has in every account', { name: 'primary' }],
  ['sources[0].secret is not a name of a secret', { sources: [source('*')] }],
  ['maskSecret is not a name', { maskSecret: 'prod/*' }],
  ['reach IPv4 alone', { sources: [at('https://[2a01:db8::1]:8443')] }],
  ['a list of 1 to 16 private subnets, each once', { vpc: { ...vpc, subnetIds } }],
  [
    'vpc.subnetIds is a list, but must be a list of 1 to 16',
    { vpc: { ...vpc, subnetIds: [vpc.subnetIds[0], vpc.subnetIds[0]] } },
  ],
  [
    'a list of at most 4 addresses of DNS servers',
    { vpc: { ...vpc, dnsServers: others(5, (index) => `10.0.0.${index}`) } },
  ],
  [
    `permissionsBoundaryArn is "arn:aws:iam::${elsewhere}:policy/x", which is of the account ${elsewhere}, but the stack is deployed to 111122223333: make the policy in that account, and name it.`,
    { permissionsBoundaryArn: `arn:aws:iam::${elsewhere}:policy/x` },
  ],
  [`catalogKmsKeyArn is "${china}", which is in the`, { catalogKmsKeyArn: china }],
  [
    `sources[0].secret is "${secretOf(elsewhere)}", which is of the account ${elsewhere}, but the stack is deployed to 111122223333: name a secret of that account, or set secretsKmsKeyArn to its key`,
    { sources: [source(secretOf(elsewhere))] },
  ],
  [
    'readers[0] is "arn:aws:iam::111122223333:role/*", but must',
    { lakeFormation: { readers: ['arn:aws:iam::111122223333:role/*'] } },
  ],
  [
    'notify.form is "slack", but must be left out',
    { notify: { topicArn: topic.replace('us-east-1', 'eu-central-1'), form: 'slack' } },
  ],
  ['sources[0].secret has this one', { sources: [source('a')], notify: { webhookSecret: 'a' } }],
  [
    'notify.webhookSecret is "berlin", which is the secret of a source too: give it one of its own.',
    { sources: [source(secretOf('111122223333').slice(0, -7))], notify: { webhookSecret: 'berlin' } },
  ],
  ['notify.webhookSecret is "hook", but must be the name of another', { maskSecret: 'hook', notify: hook }],
  [
    'sources[0].baseUrl is "https://signage.example.com:0", but must be https://signage.example.com with a port from 1',
    { sources: [{ ...source('a'), baseUrl: 'https://signage.example.com:0' }] },
  ],
];

describe('synth refuses', () => {
  it.each(MISFITS)('%s', (says, settings) => {
    expect(() => templateOf({ ...settings }, { env })).toThrow(says);
  });

  it('no ARN of another account that AWS takes, and none where the target is not known', () => {
    const secretsKmsKeyArn = key.replace('us-east-1', 'eu-central-1').replace('111122223333', elsewhere);
    const taken = {
      alarmEmail: undefined,
      alarmTopicArn: `arn:aws:sns:eu-central-1:${elsewhere}:ops`,
      ...{ secretsKmsKeyArn, kmsKeyArn: secretsKmsKeyArn, catalogKmsKeyArn: secretsKmsKeyArn },
      permissionsBoundaryArn: 'arn:aws:iam::aws:policy/PowerUserAccess',
      notify: { topicArn: `arn:aws:sns:eu-central-1:${elsewhere}:news` },
      sources: [source(secretOf(elsewhere))],
      lakeFormation: {
        readers: [
          `arn:aws:iam::${elsewhere}:role/bi`,
          'arn:aws:quicksight:us-east-1:111122223333:user/default/a@b.c',
        ],
      },
    };
    expect(() => templateOf(taken, { env })).not.toThrow();
    expect(() =>
      templateOf({
        kmsKeyArn: china,
        permissionsBoundaryArn: 'arn:aws-cn:iam::1:policy/x'.replace(':1:', `:${elsewhere}:`),
      }),
    ).not.toThrow();
    // Each half of the target is checked where it alone is known.
    expect(() => refuseMisfits(configWith({ kmsKeyArn: china }), { region: 'eu-central-1' })).toThrow(
      'partition',
    );
    expect(() =>
      refuseMisfits(configWith({ permissionsBoundaryArn: `arn:aws:iam::${elsewhere}:policy/x` }), {
        account: '111122223333',
      }),
    ).toThrow('permissionsBoundaryArn');
  });
});

/** Hosts where a function finds nobody but itself, whatever network it is in. */
const ITSELF = ['http://localhost', 'http://[::1]:8080', 'https://0.0.0.0', 'https://0x7f000001'];

/** Hosts that a network has, and the internet has not. */
const PRIVATE = [
  ...['https://10.0.0.8:8443', 'https://172.16.0.1', 'https://192.168.1.10'],
  ...['https://signage', 'https://signage.corp.local'],
];
const PUBLIC = [
  'https://signage.example.com:8443',
  'https://172.32.0.1',
  'https://notlocalhost.com',
  'https://1.1.1.1',
];

describe('synth refuses a server', () => {
  const deployed =
    (settings: object, target = env) =>
    () =>
      refuseMisfits(configWith({ ...settings }), target);

  it.each(ITSELF)('at %s, with a VPC or without', (baseUrl) => {
    const sources = [at(baseUrl)];
    const says = `sources[0].baseUrl is ${JSON.stringify(new URL(baseUrl).origin)}, where a function on AWS finds nobody but itself: write the host by which other machines reach the server.`;
    expect(deployed({ sources })).toThrow(says);
    expect(deployed({ sources, vpc })).toThrow(says);
    expect(() => templateOf({ sources })).toThrow(says);
  });

  it.each(PRIVATE)('at %s without a VPC, not with one', (baseUrl) => {
    const sources = [at('https://a.example.com'), { ...at(baseUrl), name: 'b' }];
    expect(deployed({ sources })).toThrow(
      `sources[1].baseUrl is ${JSON.stringify(baseUrl)}, which is in a private network`,
    );
    expect(deployed({ sources, vpc })).not.toThrow();
  });

  it.each(PUBLIC)('not at %s', (baseUrl) => {
    expect(deployed({ sources: [at(baseUrl)] })).not.toThrow();
    expect(deployed({ sources: [at(baseUrl)], vpc })).not.toThrow();
  });

  it('of this machine, but for an emulator of AWS, whose account AWS gives to nobody', () => {
    const sources = [at('http://127.0.0.1:8080')];
    expect(deployed({ sources }, { ...env, account: '000000000000' })).not.toThrow();
  });
});
