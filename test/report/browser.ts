import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';

export const CHROMIUM = '/usr/bin/chromium';
export const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The tier's browser, Debian's Chromium, which `.ci/run` installs; closed, it loses the windows of this file alone. */
export async function openBrowser(): Promise<Browser> {
  const endpoint = inject('browser');
  if (endpoint === null)
    throw new Error(`${CHROMIUM} is missing: apt-get update && apt-get install chromium`);
  return await chromium.connect(endpoint);
}
