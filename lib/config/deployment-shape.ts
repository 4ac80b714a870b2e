import * as z from 'zod';
import { IN_ANY_CASE, settings, text, whole } from '../sources/settings.ts';
import { quoteLiteral } from '../sql.ts';

const arn = (due: string, pattern: RegExp) => text(due, pattern).exactOptional();
const keyArn = arn(
  'the ARN of a KMS key, not of an alias',
  /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/(mrk-[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
);
const subnet = text('a subnet such as "subnet-0a1b2c3d"', /^subnet-([0-9a-f]{8}|[0-9a-f]{17})$/);
/** Lambda's limit for a function. @see https://docs.aws.amazon.com/lambda/latest/api/API_VpcConfig.html */
const MOST_SUBNETS = 16;
const subnets = `a list of 1 to ${MOST_SUBNETS} private subnets, each once`;
const address = z.ipv4({ error: 'the address of a DNS server such as "10.0.0.2"' });
/** A VPC's limit for its machines. @see https://docs.aws.amazon.com/vpc/latest/userguide/DHCPOptionSetConcepts.html */
export const MOST_DNS_SERVERS = 4;
const dnsServers = `a list of at most ${MOST_DNS_SERVERS} addresses of DNS servers, each once`;
const hasEachOnce = (all: readonly string[]) => new Set(all).size === all.length;
/** CloudFormation takes 50 tags. The stack has two of its own, so 48 are left. */
const MOST_TAGS = 48;
/** What every AWS service takes. @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_tags.html */
const TAG_NAME = /^(?!aws:)[\p{L}\p{Z}\p{N}_.:/=+@-]{1,128}$/iu;
const TAG_VALUE = /^[\p{L}\p{Z}\p{N}_.:/=+@-]{0,256}$/u;
/** The stack's own tags. */
const OWN_TAGS = ['application', 'installation'];
const tags = `tags by name, in { }, at most ${MOST_TAGS}, of letters, digits, blanks and _.:/=+@-, and none begins with aws:`;
const tagValue = 'a text of at most 256 letters, digits, blanks and _.:/=+@-';

const topicArn = text(
  'the ARN of an SNS topic, not a FIFO one',
  /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/,
);

/** The forms of a message to a webhook: JSON as docs/run/events.md says, or what Slack and Teams show. */
const MESSAGE_FORMS = ['json', 'slack', 'teams'] as const;

/** Who gets messages about a run, and when. */
const notify = settings('notify', {
  topicArn: topicArn.exactOptional(),
  /** Name of the secret {"url": "…", "key": "…"}. */
  webhookSecret: text('the name of a secret').exactOptional(),
  form: z.enum(MESSAGE_FORMS, { error: `one of ${MESSAGE_FORMS.join(', ')}` }).default('json'),
  /** The runs with a message whatever they found. */
  runs: z
    .enum(['failed', 'partial', 'all'], { error: 'failed, partial (and failed), or all' })
    .default('partial'),
  /** A finding gets a message if it has so many more rows than at the run before; null = never. */
  findings: whole('rows more than at the run before, or null for none', 1, 1_000_000).nullable().default(1),
})
  .refine(({ topicArn: topic, webhookSecret }) => topic !== undefined || webhookSecret !== undefined, {
    error: 'settings with topicArn or webhookSecret, or both',
    ...IN_ANY_CASE,
  })
  .refine(({ form, webhookSecret }) => form === 'json' || webhookSecret !== undefined, {
    path: ['form'],
    error:
      'left out where webhookSecret is missing, for a topic gets words: name the secret of the webhook, or remove form',
  });

/** Within a VPC list and collect reach the APIs from its subnets, plan and publish reach only S3. */
const vpc = settings('vpc', {
  vpcId: text('a VPC such as "vpc-0a1b2c3d"', /^vpc-([0-9a-f]{8}|[0-9a-f]{17})$/),
  subnetIds: z
    .array(subnet, { error: subnets })
    .min(1, { error: subnets })
    .max(MOST_SUBNETS, { error: subnets })
    .refine(hasEachOnce, { error: subnets }),
  /** AWS's list of S3's addresses in the region, for the S3 gateway endpoint of the VPC. */
  s3PrefixListId: text('the prefix list of S3 such as "pl-0a1b2c3d"', /^pl-[0-9a-f]{8,17}$/),
  /** For a VPC with DNS servers of its own; AWS's needs no rule. */
  dnsServers: z
    .array(address, { error: dnsServers })
    .max(MOST_DNS_SERVERS, { error: dnsServers })
    .refine(hasEachOnce, { error: dnsServers })
    .default([]),
});

const principal = text(
  'the ARN of a role or user of IAM, or of a user or group of QuickSight, one each, without * and ?',
  /^arn:aws[a-z-]*:(iam::\d{12}:(role|user)|quicksight:[a-z0-9-]+:\d{12}:(user|group))\/[^\s*?]+$/,
);
/** AWS takes so many grants in a template of this size. */
const MOST_PRINCIPALS = 50;

const principals = z
  .array(principal, { error: 'a list of ARNs of readers' })
  .max(MOST_PRINCIPALS, { error: `at most ${MOST_PRINCIPALS} ARNs: grant to a role that they share` })
  .refine(hasEachOnce, { error: 'a list of ARNs, each once' });
/** @see https://docs.aws.amazon.com/lake-formation/latest/dg/partiql-support.html */
const MOST_EXPRESSION = 2047;
const filtered = `a list of names of sources, each once, that Lake Formation takes in ${MOST_EXPRESSION} characters`;

/** The rows of these sources, in Lake Formation's PartiQL. */
export function rowFilterExpression(sources: readonly string[]): string {
  return `export_source IN (${sources.map(quoteLiteral).join(', ')})`;
}

/** A data filter of Lake Formation on each table: its readers get the rows of these sources alone. */
const rowFilter = settings('rowFilters', {
  /** One of `readers`: its policy opens no file of the lake and no page. */
  group: text('one of the groups in readers'),
  sources: z
    .array(text(filtered), { error: filtered })
    .min(1, { error: filtered })
    .refine(hasEachOnce, { error: filtered })
    .refine((names) => rowFilterExpression(names).length <= MOST_EXPRESSION, { error: filtered }),
  readers: principals,
});
export type RowFilter = Readonly<z.output<typeof rowFilter>>;

/** If Lake Formation governs the account's catalog, IAM alone opens no table. */
const lakeFormation = settings('lakeFormation', {
  /** ARNs that may query, in addition to the roles of the stack. */
  readers: principals,
  rowFilters: z
    .array(rowFilter, { error: 'a list of row filters' })
    .refine((all) => all.flatMap((each) => each.readers).length <= MOST_PRINCIPALS, {
      error: `row filters with at most ${MOST_PRINCIPALS} ARNs together: grant to a role that they share`,
    })
    .default([]),
});

/** A group takes a workgroup and a policy of the template. */
const MOST_READERS = 20;
const readers = `a list of at most ${MOST_READERS} names of groups, each once, of 1 to 20 of a-z and 0-9`;

/** Whether IAM can distinguish the tags. The config may repeat one of the stack's own by its exact name. */
function hasEachTagOnce(given: Readonly<Record<string, string>>): boolean {
  const names = new Set([...OWN_TAGS, ...Object.keys(given)]);
  return new Set([...names].map((name) => name.toLowerCase())).size === names.size;
}

/** What a deployment on AWS needs besides what is exported; all of it is optional. */
export const deploymentSettings = {
  /** The receiver of alarms: an address that the stack's own topic writes to, or an existing topic. */
  alarmEmail: text(
    'an address such as "ops@example.com"',
    /^[^\s@]+@(?:[^\s@.]+\.)+[^\s@.]+$/,
  ).exactOptional(),
  alarmTopicArn: topicArn.exactOptional(),
  notify: notify.exactOptional(),
  /** The key of the lake and of results. */
  kmsKeyArn: keyArn,
  /** The key of the secrets, if they are not under AWS's own. */
  secretsKmsKeyArn: keyArn,
  /** The key that encrypts the account's Glue catalog. */
  catalogKmsKeyArn: keyArn,
  /** The limit of every role of the stack. */
  permissionsBoundaryArn: arn(
    'the ARN of a managed policy',
    /^arn:aws[a-z-]*:iam::(\d{12}|aws):policy\/[\w+=,.@/-]+$/,
  ),
  /** Groups of readers, each with a workgroup and results of its own. */
  readers: z
    .array(text(readers, /^[a-z0-9]{1,20}$/), { error: readers })
    .refine((names) => hasEachOnce(names) && names.length <= MOST_READERS, { error: readers })
    .exactOptional(),
  lakeFormation: lakeFormation.exactOptional(),
  /** Athena stops a query that reads more. */
  queryGiB: whole('GiB', 1, 100_000).default(10),
  /** For every resource of the stack. */
  tags: z
    .record(text(tags, TAG_NAME), z.string({ error: tagValue }).regex(TAG_VALUE, { error: tagValue }), {
      error: tags,
    })
    .refine((given) => Object.keys(given).length <= MOST_TAGS, { error: tags })
    .refine(hasEachTagOnce, {
      error: `tags with names that differ by more than case, from each other and from ${OWN_TAGS.join(' and ')}; IAM takes them for the same`,
    })
    .exactOptional(),
  vpc: vpc.exactOptional(),
};
