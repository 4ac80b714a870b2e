import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { ACCOUNT, type EmulatorPlace, emulatorAt, REGION, startEmulator } from './emulator.ts';
import { type EmulatorPrograms, installEmulator } from './install-emulator.ts';
import { CDK } from './installation.ts';

const run = promisify(execFile);

declare module 'vitest' {
  interface ProvidedContext {
    /** Null where it cannot be installed, which is said once. */
    readonly emulator: EmulatorPlace | null;
  }
}

/** One emulator for all files of test:deploy, with CDK's bootstrap. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const programs = await installed();
  if (programs === undefined) {
    project.provide('emulator', null);
    return async () => {};
  }
  const emulator = await startEmulator(programs);
  try {
    await bootstrap(emulator);
  } catch (error) {
    await emulator[Symbol.asyncDispose]();
    throw error;
  }
  project.provide('emulator', { url: emulator.url, python: emulator.python, folder: emulator.folder });
  return async () => {
    await emulator[Symbol.asyncDispose]();
  };
}

/** Elsewhere than in the project's folder, for it needs no app. */
async function bootstrap(place: EmulatorPlace): Promise<void> {
  const env = { ...process.env, ...emulatorAt(place).environment };
  const words = [CDK, 'bootstrap', `aws://${ACCOUNT}/${REGION}`];
  await run(process.execPath, words, { cwd: place.folder, env });
}

/** In CI a machine that cannot run the tier is an error, elsewhere a line. */
async function installed(): Promise<EmulatorPrograms | undefined> {
  try {
    return await installEmulator();
  } catch (error) {
    if (process.env['CI'] !== undefined) throw error;
    const [reason] = String(error instanceof Error ? error.message : error).split('\n');
    process.stderr.write(`test:deploy is skipped: ${reason}\n`);
    return undefined;
  }
}
