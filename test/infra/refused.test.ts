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
const MISFITS: readonly (readonly [what: string, settings: object, says: string])[] = [
  ['a cron that is due on no day', { schedule: 'cron(0 3 31 2 ? *)' }, 'schedule'],
  ['a VPC that is none', { vpc: { ...vpc, vpcId: 'x' } }, 'vpc.vpcId is "x", but must be a VPC such as'],
  ['a VPC without subnets', { vpc: { ...vpc, subnetIds: [] } }, 'vpc.subnetIds is [], but must be'],
  [
    'a DNS server by name',
    { vpc: { ...vpc, dnsServers: ['ns.corp'] } },
    'vpc.dnsServers[0] is "ns.corp", but',
  ],
  [
    'a key of the environment',
    { maskSecret: 'env:MASK_KEY' },
    'maskSecret is "env:MASK_KEY", which a run on this machine reads',
  ],
  ['masks within a VPC', { vpc, maskSecret: 'masks' }, 'vpc and maskSecret exclude each other'],
  ['an address beside a topic', { alarmTopicArn: topic }, 'alarmEmail and alarmTopicArn exclude each other'],
  ['a key of another region', { kmsKeyArn: key }, `kmsKeyArn is "${key}", which is in us-east-1`],
  [
    'a key of secrets that is an alias',
    { secretsKmsKeyArn: `${key.split(':key/')[0]}:alias/a` },
    'not of an alias',
  ],
  [
    'a secret of another region',
    { sources: [source('arn:aws:secretsmanager:us-east-1:111122223333:secret:berlin-aBcDeF')] },
    'sources[0].secret is "arn:aws:secretsmanager:us-east-1',
  ],
  [
    'more secrets than a policy holds',
    { sources: manySecrets },
    'The config names 200 secrets, too many for the policy of a role: name them below a common name, such as "signage/secret-of-a-customer-by-itself-0"',
  ],
  [
    'a boundary that is a role',
    { permissionsBoundaryArn: 'arn:aws:iam::111122223333:role/x' },
    'a managed policy',
  ],
  ['news for nobody', { notify: { runs: 'all' } }, 'notify is an object, but must be settings with topicArn'],
  ['news in a form that is none', { notify: { webhookSecret: 'hook', form: 'pdf' } }, 'notify.form is "pdf"'],
  ['news to a topic of another region', { notify: { topicArn: topic } }, 'notify.topicArn is "arn:aws:sns'],
  [
    'a reader of Lake Formation by name',
    { lakeFormation: { readers: ['ops'] } },
    'lakeFormation.readers[0] is "ops", but must be the ARN of a role or user of IAM',
  ],
  ['tags of AWS’s own', { tags: { 'AWS:x': 'y' } }, 'and none begins with aws:'],
  ['tags that IAM takes for the same', { tags: { Team: 'a', team: 'b' } }, 'IAM takes them for the same'],
  ['a tag that the stack has in lower case', { tags: { Application: 'x' } }, 'application and installation'],
  ['a tag with a comma', { tags: { owner: 'Müller, Hans' } }, 'tags.owner is "Müller, Hans", but must be'],
  ['too many groups of readers', { readers: groups(21) }, 'a list of at most 20 names of groups'],
  ['a DNS server that is no address', { vpc: { ...vpc, dnsServers: ['999.1.1.1'] } }, 'vpc.dnsServers[0]'],
  [
    'the name of a workgroup of AWS',
    { name: 'primary' },
    'name is "primary", which AWS has in every account',
  ],
  ['a secret for all', { sources: [source('*')] }, 'sources[0].secret is not a name of a secret'],
  ['secrets below a folder', { maskSecret: 'prod/*' }, 'maskSecret is not a name'],
  ['an address of IPv6', { sources: [at('https://[2a01:db8::1]:8443')] }, 'reach IPv4 alone'],
  [
    'more subnets than a function takes',
    { vpc: { ...vpc, subnetIds } },
    'but must be a list of 1 to 16 private subnets, each once',
  ],
  [
    'a subnet twice',
    { vpc: { ...vpc, subnetIds: [vpc.subnetIds[0], vpc.subnetIds[0]] } },
    'vpc.subnetIds is a list, but must be a list of 1 to 16 private subnets, each once',
  ],
  [
    'more DNS servers than a VPC names',
    { vpc: { ...vpc, dnsServers: others(5, (index) => `10.0.0.${index}`) } },
    'but must be a list of at most 4 addresses of DNS servers, each once',
  ],
  [
    'a boundary of another account',
    { permissionsBoundaryArn: `arn:aws:iam::${elsewhere}:policy/x` },
    `permissionsBoundaryArn is "arn:aws:iam::${elsewhere}:policy/x", which is of the account ${elsewhere}, but the stack is deployed to 111122223333: make the policy in that account, and name it.`,
  ],
  [
    'a key of another partition',
    { catalogKmsKeyArn: china },
    `catalogKmsKeyArn is "${china}", which is in the`,
  ],
  [
    'a secret of another account under the key of AWS',
    { sources: [source(secretOf(elsewhere))] },
    `sources[0].secret is "${secretOf(elsewhere)}", which is of the account ${elsewhere}, but the stack is deployed to 111122223333: name a secret of that account, or set secretsKmsKeyArn to its key`,
  ],
  [
    'readers by a pattern',
    { lakeFormation: { readers: ['arn:aws:iam::111122223333:role/*'] } },
    'lakeFormation.readers[0] is "arn:aws:iam::111122223333:role/*", but must be the ARN of a role or user of IAM',
  ],
  [
    'a form for a topic',
    { notify: { topicArn: topic.replace('us-east-1', 'eu-central-1'), form: 'slack' } },
    'notify.form is "slack", but must be left out where webhookSecret is missing',
  ],
  [
    'a webhook’s secret that is a source’s',
    { sources: [source('a')], notify: { webhookSecret: 'a' } },
    'notify.webhookSecret is "a", but must be the name of another secret: sources[0].secret has this one already',
  ],
  [
    'a webhook’s secret that is a source’s by its ARN',
    { sources: [source(secretOf('111122223333').slice(0, -7))], notify: { webhookSecret: 'berlin' } },
    'notify.webhookSecret is "berlin", which is the secret of a source too: give it one of its own.',
  ],
  [
    'a mask’s secret that is the webhook’s',
    { maskSecret: 'hook', notify: hook },
    'notify.webhookSecret is "hook", but must be the name of another secret: maskSecret has this one already',
  ],
  [
    'the port 0',
    { sources: [{ ...source('a'), baseUrl: 'https://signage.example.com:0' }] },
    'sources[0].baseUrl is "https://signage.example.com:0", but must be https://signage.example.com with a port from 1',
  ],
];

describe('synth refuses', () => {
  it.each(MISFITS)('%s', (_what, settings, says) => {
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
  'https://10.0.0.8:8443',
  'https://172.16.0.1',
  'https://192.168.1.10',
  'https://signage',
  'https://signage.corp.local',
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
