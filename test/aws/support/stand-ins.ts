import type { TestProject } from 'vitest/node';
import { startMoto } from './moto.ts';
import { startS3 } from './s3.ts';
import { startTrino } from './trino.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly standIns: {
      readonly s3: { readonly url: string; readonly folder: string };
      readonly moto: string;
      readonly trino: string;
    };
  }
}

/** One S3, one Glue and one Athena for all files of test:aws: Trino alone takes 10 to 20 s to come up. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [s3, moto] = await Promise.all([startS3(), startMoto()]);
  const trino = await startTrino({ s3: s3.url, glue: moto.url });
  project.provide('standIns', { s3: { url: s3.url, folder: s3.folder }, moto: moto.url, trino: trino.url });
  return async () => {
    for (const each of [trino, moto, s3]) await each[Symbol.asyncDispose]();
  };
}
