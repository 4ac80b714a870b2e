import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { s3Lake } from '#lib/aws/s3-lake.ts';
import { listKeys } from '#lib/lake/keys.ts';
import { SIGNAGE, signageLab } from '../../support/fixture-lab.ts';
import { CREDENTIALS, REGION, speakWith, startS3 } from './s3.ts';
import { awsCli } from './tools.ts';

const run = promisify(execFile);

export type Names = Readonly<Record<string, string>>;

export type PrintedShell = Awaited<ReturnType<typeof printedShell>>;

/**
 * A shell with `signage-export`, AWS's command line and an `npx` that writes its words to npx.txt, beside S3 with versions.
 * The names may turn AWS_ENDPOINT_URL and AWS_ENDPOINT_URL_S3 to another stand-in.
 */
export async function printedShell() {
  const s3 = await startS3({ hasVersions: true });
  const folder = await mkdtemp(join(tmpdir(), 'signage-export-'));
  const program = `#!/bin/sh\nexec "${process.execPath}" "${join(process.cwd(), 'cli/main.ts')}" "$@"\n`;
  await writeFile(join(folder, 'signage-export'), program, { mode: 0o755 });
  await writeFile(join(folder, 'npx'), '#!/bin/sh\necho "$@" >> npx.txt\n', { mode: 0o755 });
  const PATH = [folder, dirname(await awsCli()), process.env['PATH']].join(':');
  speakWith(s3);
  return {
    s3,
    /** Where commands run and leave their files. */
    folder,
    /** Runs printed commands as somebody types them, with what the names stand for: what it said, and its code. */
    shell: async (commands: string, names: Names): Promise<{ code: unknown; said: string }> => {
      const aws = { ...CREDENTIALS, AWS_DEFAULT_REGION: REGION, AWS_REGION: REGION };
      const env = { ...process.env, ...aws, AWS_ENDPOINT_URL_S3: s3.url, ...names, PATH };
      try {
        return { code: 0, said: (await run('bash', ['-e', '-c', commands], { env, cwd: folder })).stdout };
      } catch (error) {
        if (!(error instanceof Error) || !('code' in error) || !('stdout' in error)) throw error;
        return { code: error.code, said: `${error.stdout}${'stderr' in error ? error.stderr : ''}` };
      }
    },
    [Symbol.asyncDispose]: async () => {
      await s3[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Answers of a server with so many players. */
export const players = (count: number) => ({
  [`${SIGNAGE}/Players`]: {
    body: JSON.stringify(Array.from({ length: count }, (_, index) => ({ Id: index + 1 }))),
  },
});

/** The days of a lake, with their players. */
export const DAYS = 'select export_date as day, count(*) as n from players_daily group by 1 order by 1';

/** Two days in a bucket with versions, and a file of its tables. */
export async function twoDays({ s3, shell }: PrintedShell, bucket: string) {
  await s3.bucket(bucket);
  const versioned =
    'aws s3api put-bucket-versioning --bucket "$LAKE" --versioning-configuration Status=Enabled';
  await shell(versioned, { LAKE: bucket });
  const lake = s3Lake(`s3://${bucket}`, { pathStyle: true });
  const lab = await signageLab(players(3), {}, { lake });
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-21T03:00:00Z', players(4));
  const { value: file } = await listKeys(lake, 'table', { table: 'players' }).next();
  return { lab, lake, KEY: file?.key ?? '' };
}
