import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answers, freePort, startService } from '../../support/service.ts';
import { versitygw } from './tools.ts';

/** Credentials of the stand-ins; AWS has never heard of them. */
export const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'stand-in', AWS_SECRET_ACCESS_KEY: 'stand-in-key' } as const;
export const REGION = 'us-east-1';

export interface S3StandIn {
  readonly url: string;
  /** Where a bucket is a folder. */
  readonly folder: string;
  /** Makes a bucket and gives its name. */
  bucket(name: string): Promise<string>;
}

/** S3 by versitygw over a temporary folder; a bucket is a folder in it, and may have versions where they are requested. */
export async function startS3({ hasVersions = false } = {}): Promise<S3StandIn & AsyncDisposable> {
  const program = await versitygw();
  const folder = await mkdtemp(join(tmpdir(), 'signage-export-s3-'));
  const [buckets, old] = [join(folder, 'buckets'), join(folder, 'versions')];
  for (const each of [buckets, old]) await mkdir(each);
  const versions = hasVersions ? ['--versioning-dir', old] : [];
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = await startService({
    command: program,
    args: ['--port', `127.0.0.1:${port}`, '--region', REGION, 'posix', ...versions, buckets],
    env: {
      ROOT_ACCESS_KEY: CREDENTIALS.AWS_ACCESS_KEY_ID,
      ROOT_SECRET_KEY: CREDENTIALS.AWS_SECRET_ACCESS_KEY,
    },
    isReady: () => answers(url),
    patienceMs: 20_000,
  });
  return {
    ...s3At({ url, folder: buckets }),
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The stand-in that runs there. */
export function s3At({ url, folder }: Pick<S3StandIn, 'url' | 'folder'>): S3StandIn {
  return {
    url,
    folder,
    bucket: async (name) => {
      await mkdir(join(folder, name));
      return name;
    },
  };
}

/** Lets the AWS SDK of this process speak with a stand-in. */
export function speakWith(s3: S3StandIn): void {
  const places = { AWS_REGION: REGION, AWS_ENDPOINT_URL_S3: s3.url };
  Object.assign(process.env, { ...CREDENTIALS, ...places, AWS_EC2_METADATA_DISABLED: 'true' });
}
