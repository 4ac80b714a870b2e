import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { ARGS, CHROMIUM } from './browser.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of all files of a tier listens; null where the machine has none. */
    readonly browser: string | null;
  }
}

/** One browser for all files of a tier: each opens windows of its own in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!existsSync(CHROMIUM)) {
    project.provide('browser', null);
    return async () => {};
  }
  const server = await chromium.launchServer({ executablePath: CHROMIUM, args: ARGS });
  project.provide('browser', server.wsEndpoint());
  return () => server.close();
}
