import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { s3Lake } from '#lib/aws/s3-lake.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { listKeys } from '#lib/lake/list-keys.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { CREDENTIALS, REGION, type S3StandIn, speakWith, startS3 } from './support/s3.ts';
import { awsCli } from './support/tools.ts';

const run = promisify(execFile);

const page = await readFile('docs/run/ways-back.md', 'utf8');
/** The commands under a heading of the page, as they are printed. */
const commandsOf = (heading: string): readonly string[] => {
  const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = '']) => commands);
};
const [VERIFY = '', RESTORE = ''] = commandsOf('A file was deleted');
const [BEFORE = ''] = commandsOf('A file was overwritten');
const [COPY = ''] = commandsOf('The lake goes to another bucket');

let s3: S3StandIn & AsyncDisposable;
let folder: string;
let PATH: string;
beforeAll(async () => {
  s3 = await startS3({ hasVersions: true });
  folder = await mkdtemp(join(tmpdir(), 'signage-export-'));
  const program = `#!/bin/sh\nexec "${process.execPath}" "${join(process.cwd(), 'cli/main.ts')}" "$@"\n`;
  await writeFile(join(folder, 'signage-export'), program, { mode: 0o755 });
  PATH = [folder, dirname(await awsCli()), process.env['PATH']].join(':');
  speakWith(s3);
});
afterAll(async () => {
  await s3?.[Symbol.asyncDispose]();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

/** What the shell says of printed commands; the code with which they end. */
async function shell(commands: string, names: Readonly<Record<string, string>>) {
  const env = {
    ...process.env,
    ...CREDENTIALS,
    ...names,
    PATH,
    AWS_DEFAULT_REGION: REGION,
    AWS_REGION: REGION,
    AWS_ENDPOINT_URL_S3: s3.url,
  };
  try {
    return { code: 0, said: (await run('bash', ['-e', '-c', commands], { env, cwd: folder })).stdout };
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || !('stdout' in error)) throw error;
    return { code: error.code, said: `${error.stdout}${'stderr' in error ? error.stderr : ''}` };
  }
}

const players = (count: number) => ({
  [`${SIGNAGE}/Players`]: {
    body: JSON.stringify(Array.from({ length: count }, (_, index) => ({ Id: index + 1 }))),
  },
});
const DAYS = 'select export_date as day, count(*) as n from players_daily group by 1 order by 1';

/** Two days in a bucket with versions, and a file of its tables. */
async function twoDays(bucket: string, { hasVersions = true } = {}) {
  await s3.bucket(bucket);
  const versioned =
    'aws s3api put-bucket-versioning --bucket "$LAKE" --versioning-configuration Status=Enabled';
  if (hasVersions) await shell(versioned, { LAKE: bucket });
  const lake = s3Lake(`s3://${bucket}`, { pathStyle: true });
  const lab = await signageLab(players(3), {}, { lake });
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-21T03:00:00Z', players(4));
  const { value: file } = await listKeys(lake, 'table', { table: 'players' }).next();
  return { lab, lake, KEY: file?.key ?? '' };
}

describe('docs/run/ways-back.md', () => {
  it('a deleted file is named, and put back', async () => {
    const { lab, lake, KEY } = await twoDays('deleted');
    await using _ = lab;
    await lake.remove([KEY]);
    const names = { LAKE: 'deleted', KEY };
    const broken = await shell(VERIFY, names);
    expect(broken).toEqual({ code: 1, said: expect.stringContaining(`${KEY} is missing`) });
    expect(await shell(RESTORE, names)).toMatchObject({ code: 0 });
    expect(await shell(VERIFY, names)).toEqual({
      code: 0,
      said: expect.stringContaining(', 0 damaged or missing'),
    });
  });

  it('an overwritten file is named, and the version before it is put back', async () => {
    const { lab, lake, KEY } = await twoDays('overwritten');
    await using _ = lab;
    await lake.write(KEY, Buffer.from('something else'));
    const names = { LAKE: 'overwritten', KEY };
    expect(await shell(VERIFY, names)).toEqual({
      code: 1,
      said: expect.stringContaining(`${KEY} is damaged`),
    });
    expect(await shell(BEFORE, names)).toMatchObject({ code: 0 });
    expect(await shell(VERIFY, names)).toEqual({
      code: 0,
      said: expect.stringContaining(', 0 damaged or missing'),
    });
  });

  it('a lake that was copied has the same days, and the next run goes on with them', async () => {
    const { lab } = await twoDays('before');
    await using _ = lab;
    const asked = await lab.rows(DAYS);
    await s3.bucket('after');
    expect(await shell(COPY, { LAKE: 'before', NEW: 'after' })).toEqual({
      code: 0,
      said: expect.stringContaining(', 0 damaged or missing'),
    });
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
  });
});

describe('docs/run/recovery.md on S3', () => {
  const recoverable = async (bucket: string) => {
    // The stand-in refuses to put an absent object over a delete marker. S3 does so, by its guide:
    // https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
    const made = await twoDays(bucket, { hasVersions: false });
    const config = join(folder, `${bucket}.config.json`);
    await writeFile(config, made.lab.written.text);
    const ask = (command: string) =>
      shell(`signage-export ${command} --lake s3://${bucket} --config ${config}`, {});
    return { ...made, ask };
  };
  const removed = async (lake: Lake, prefix: string): Promise<void> => {
    const keys: string[] = [];
    for await (const { key } of lake.list(prefix)) keys.push(key);
    expect(keys.length).toBeGreaterThan(0);
    await lake.remove(keys);
  };

  it.each([
    ['head', 'state/head.json', 'HEAD_MISSING'],
    ['state', 'state/', 'STATE_LOST'],
  ])(
    'a lost %s comes back by recover, with all days, and the next run goes on',
    async (name, prefix, code) => {
      const { lab, lake, ask } = await recoverable(`lost-${name}`);
      await using _ = lab;
      const before = await lab.rows(DAYS);
      await removed(lake, prefix);
      await expect(lab.run('2026-11-22T03:00:00Z')).rejects.toMatchObject({ code });
      const said = await ask('recover');
      expect(said).toEqual({
        code: 2,
        said: expect.stringMatching(/run 20261121T030000Z.*\n(.*\n)*.*--yes/),
      });
      await expect(lab.run('2026-11-22T03:00:00Z')).rejects.toMatchObject({ code });
      expect(await ask('recover --yes')).toEqual({
        code: 0,
        said: expect.stringContaining('The tables are as run 20261121T030000Z left them'),
      });
      expect(await ask('verify')).toEqual({ code: 0, said: expect.stringContaining('0 damaged or missing') });
      expect(await lab.rows(DAYS)).toEqual(before);
      const { tables } = await lab.run('2026-11-22T03:00:00Z', players(5));
      expect(tables['players']).toMatchObject({ rows: 5, added: 1, removed: 0 });
    },
  );

  it('an older head that was put back is refused, and the newest comes back', async () => {
    const { lab, lake, ask } = await recoverable('older-head');
    await using _ = lab;
    const before = await lab.rows(DAYS);
    const older = await lake.read('state/runs/20261120T030000Z/head.json');
    await lake.write('state/head.json', older?.bytes ?? Buffer.alloc(0));
    await expect(lab.run('2026-11-22T03:00:00Z')).rejects.toMatchObject({ code: 'HEAD_OLDER' });
    expect(await ask('recover --yes')).toEqual({
      code: 0,
      said: expect.stringContaining('The tables are as run 20261121T030000Z left them'),
    });
    expect(await lab.rows(DAYS)).toEqual(before);
  });
});
