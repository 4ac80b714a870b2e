import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GetDatabasesCommand } from '@aws-sdk/client-glue';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { s3Lake } from '#lib/aws/s3-lake.ts';
import { signageLab } from '../support/fixture-lab.ts';
import { shellBlocks } from '../support/shell-blocks.ts';
import { type MotoStandIn, startMoto } from './support/moto.ts';
import {
  DAYS,
  type Names,
  type PrintedShell,
  players,
  printedShell,
  twoDays,
} from './support/printed-shell.ts';

const blocks = await shellBlocks('docs/run/ways-back.md');
const LOST = 'A file was deleted or overwritten';
const ELSEWHERE = 'The lake goes to another bucket';
const OVER = 'An installation over an existing lake';
const REPLICA = 'A second region';
/** The commands of a heading's block of that number. */
const block = (heading: string, number: number): string =>
  blocks.filter((each) => each.heading === heading)[number]?.commands ?? '';
const WHOLE = { code: 0, said: expect.stringContaining(', 0 damaged or missing') };

let printed: PrintedShell;
let moto: MotoStandIn & AsyncDisposable;
beforeAll(async () => {
  [printed, moto] = await Promise.all([printedShell(), startMoto()]);
});
afterAll(async () => {
  await printed?.[Symbol.asyncDispose]();
  await moto?.[Symbol.asyncDispose]();
});

/** Runs commands against the stand-in of all of AWS, which keeps settings of buckets; gives what they said. */
async function onMoto(commands: string, names: Names): Promise<string> {
  const endpoints = { AWS_ENDPOINT_URL: moto.url, AWS_ENDPOINT_URL_S3: moto.url };
  const said = await printed.shell(commands, { ...names, ...endpoints });
  expect(said).toMatchObject({ code: 0 });
  return said.said;
}
const askMoto = async (words: string) => JSON.parse(await onMoto(`aws ${words}`, {}));

/** What the recipe of each block does. A block without one fails the first test. */
const RECIPES: Readonly<Record<string, readonly (() => Promise<void>)[]>> = {
  [LOST]: [namesDamage, putsBack],
  [ELSEWHERE]: [disablesSchedule, copiesLake],
  [OVER]: [makesRoom, givesSettings],
  [REPLICA]: [replicates],
};

async function namesDamage(): Promise<void> {
  const { lab, lake, KEY } = await twoDays(printed, 'damaged');
  await using _ = lab;
  const verify = () => printed.shell(block(LOST, 0), { LAKE: 'damaged' });
  expect(await verify()).toEqual(WHOLE);
  await lake.write(KEY, Buffer.from('something else'));
  expect(await verify()).toEqual({ code: 1, said: expect.stringContaining(`${KEY} is damaged`) });
  await lake.remove([KEY]);
  expect(await verify()).toEqual({ code: 1, said: expect.stringContaining(`${KEY} is missing`) });
}

async function putsBack(): Promise<void> {
  const { lab, lake, KEY } = await twoDays(printed, 'put-back');
  await using _ = lab;
  const names = { LAKE: 'put-back', KEY };
  const whole = Buffer.from((await lake.read(KEY))?.bytes ?? []);
  const putBack = async (OLD: string) => {
    expect(await printed.shell(block(LOST, 1), { ...names, OLD })).toMatchObject({ code: 0 });
    expect(Buffer.from((await lake.read(KEY))?.bytes ?? []).equals(whole)).toBe(true);
    expect(await printed.shell(block(LOST, 0), names)).toEqual(WHOLE);
  };
  await lake.remove([KEY]);
  await putBack('0');
  await lake.write(KEY, Buffer.from('something else'));
  await putBack('1');
}

async function disablesSchedule(): Promise<void> {
  const target = {
    Arn: 'arn:aws:lambda:us-east-1:123456789012:function:lab-start',
    RoleArn: 'arn:aws:iam::123456789012:role/lab',
    Input: '{"scheduledTime":"<aws.scheduler.scheduled-time>"}',
    RetryPolicy: { MaximumEventAgeInSeconds: 21_600, MaximumRetryAttempts: 20 },
    DeadLetterConfig: { Arn: 'arn:aws:sqs:us-east-1:123456789012:lab' },
  };
  await onMoto(
    `aws scheduler create-schedule --name lab-export --description 'One export' --flexible-time-window Mode=OFF \
      --schedule-expression 'cron(0 3 * * ? *)' --schedule-expression-timezone Europe/Berlin --target '${JSON.stringify(target)}'`,
    {},
  );
  const schedule = async () => {
    const { LastModificationDate: _, ...rest } = await askMoto('scheduler get-schedule --name lab-export');
    return rest;
  };
  const before = await schedule();
  expect(before.State).toBe('ENABLED');
  const commands = block(ELSEWHERE, 0);
  await onMoto(commands, { NAME: 'lab' });
  expect(await schedule()).toEqual({ ...before, State: 'DISABLED' });
  const [last = ''] = commands.trim().split('\n').slice(-1);
  expect(last).toContain('DISABLED');
  await onMoto(last.replace('DISABLED', 'ENABLED'), { NAME: 'lab' });
  expect(await schedule()).toEqual(before);
}

async function copiesLake(): Promise<void> {
  const { lab } = await twoDays(printed, 'before');
  await using _ = lab;
  const asked = await lab.rows(DAYS);
  await printed.s3.bucket('after');
  expect(await printed.shell(block(ELSEWHERE, 1), { LAKE: 'before', NEW: 'after' })).toEqual(WHOLE);
  const lake = s3Lake('s3://after', { pathStyle: true });
  await using copy = await signageLab(players(5), {}, { lake });
  expect(asked).toEqual([
    { day: '2026-11-20', n: 3 },
    { day: '2026-11-21', n: 4 },
  ]);
  expect(await copy.rows(DAYS)).toEqual(asked);
  const { tables } = await copy.run('2026-11-22T03:00:00Z');
  expect(tables['players']).toMatchObject({ rows: 5, added: 1, removed: 0 });
  expect(await copy.rows(DAYS)).toEqual([...asked, { day: '2026-11-22', n: 5 }]);
}

/** Glue forgets the database. CDK's words only are kept here: test/deploy/deployed.test.ts deploys by the page's context. */
async function makesRoom(): Promise<void> {
  const databases = async () =>
    (await moto.glue.send(new GetDatabasesCommand({}))).DatabaseList?.map(({ Name }) => Name);
  await moto.createDatabase('lab');
  await onMoto(block(OVER, 0).replace('NAME', 'lab'), {});
  expect(await databases()).not.toContain('lab');
  const words = await readFile(join(printed.folder, 'npx.txt'), 'utf8');
  expect(words).toBe('cdk deploy\n');
}

async function givesSettings(): Promise<void> {
  await onMoto(LIKE_THE_STACK, { LAKE: 'stack-lake' });
  await onMoto('aws s3api create-bucket --bucket "$NEW"', { NEW: 'own-lake' });
  await onMoto(block(OVER, 1), { LAKE: 'stack-lake', NEW: 'own-lake' });
  for (const setting of SETTINGS) {
    const of = async (bucket: string) => {
      const said = await onMoto(`aws s3api get-${setting} --bucket ${bucket}`, {});
      return JSON.parse(said, (key, value) => (key === 'Policy' ? JSON.parse(value) : value));
    };
    const [old, own] = await Promise.all([of('stack-lake'), of('own-lake')]);
    expect(own, setting).toEqual(JSON.parse(JSON.stringify(old).replaceAll('stack-lake', 'own-lake')));
  }
}
const SETTINGS = [
  ...['bucket-versioning', 'bucket-lifecycle-configuration', 'bucket-policy'],
  ...['public-access-block', 'bucket-encryption'],
];
/** Settings of each kind that infra/storage.ts gives to the lake. */
const LIKE_THE_STACK = `
aws s3api create-bucket --bucket "$LAKE"
aws s3api put-bucket-versioning --bucket "$LAKE" --versioning-configuration Status=Enabled
aws s3api put-bucket-lifecycle-configuration --bucket "$LAKE" --lifecycle-configuration '{"Rules": [
  {"ID": "unfinished-uploads", "Status": "Enabled", "Filter": {"Prefix": ""}, "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 1}},
  {"ID": "raw", "Status": "Enabled", "Filter": {"Prefix": "raw/"}, "Expiration": {"Days": 37}, "NoncurrentVersionExpiration": {"NoncurrentDays": 1}}]}'
aws s3api put-bucket-policy --bucket "$LAKE" --policy '{"Version": "2012-10-17", "Statement": [
  {"Effect": "Deny", "Principal": "*", "Action": "s3:*", "Resource": ["arn:aws:s3:::'$LAKE'", "arn:aws:s3:::'$LAKE'/*"],
   "Condition": {"Bool": {"aws:SecureTransport": "false"}}},
  {"Effect": "Deny", "Principal": {"AWS": "*"}, "Action": "s3:GetObject", "Resource": "arn:aws:s3:::'$LAKE'/raw/*"}]}'
aws s3api put-public-access-block --bucket "$LAKE" --public-access-block-configuration \
  BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true
aws s3api put-bucket-encryption --bucket "$LAKE" --server-side-encryption-configuration \
  '{"Rules": [{"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": "key"}, "BucketKeyEnabled": true}]}'`;

async function replicates(): Promise<void> {
  const names = { LAKE: 'first', NEW: 'second', ROLE: 'arn:aws:iam::123456789012:role/lab' };
  for (const bucket of [names.LAKE, names.NEW])
    await onMoto(
      `aws s3api create-bucket --bucket ${bucket}
       aws s3api put-bucket-versioning --bucket ${bucket} --versioning-configuration Status=Enabled`,
      {},
    );
  await onMoto(block(REPLICA, 0), names);
  const { ReplicationConfiguration: kept } = await askMoto('s3api get-bucket-replication --bucket first');
  expect(kept).toMatchObject({
    Role: names.ROLE,
    Rules: [{ Status: 'Enabled', Destination: { Bucket: 'arn:aws:s3:::second' } }],
  });
}

describe('docs/run/ways-back.md', () => {
  it('has a recipe here for each block of commands', () => {
    const recipes = Object.entries(RECIPES).flatMap(([heading, each]) => each.map(() => heading));
    expect(blocks.map(({ heading }) => heading)).toEqual(recipes);
  });

  it.each(
    Object.entries(RECIPES).flatMap(([heading, recipes]) =>
      recipes.map((recipe, index) => ({ heading, number: index + 1, recipe })),
    ),
  )('$heading: block $number does what the page says', ({ recipe }) => recipe());
});
