import { createInterface } from 'node:readline/promises';
import { UsageError } from '#lib/errors.ts';
import type { Extent, OperationPreview } from '#lib/run/payloads.ts';
import { flag } from './options.ts';

export const YES = flag('--yes', 'do it without a question; without this, a terminal asks');

/** The options of a command that can first show what it would change. */
export const FIRST = {
  dryRun: flag('--dry-run', 'only say what would change, in rows and bytes'),
  yes: YES,
};

/** Whether a person at the terminal agrees. Throws UsageError CANCELLED if Ctrl-C or Ctrl-D leaves the question. */
export async function isAgreed(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question('Do it? [y/N] ');
    return /^y(es)?$/i.test(answer.trim());
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
    throw new UsageError('Nothing is changed.', 'CANCELLED');
  } finally {
    terminal.close();
  }
}

/** `2,480 rows (1.2 MB in 18 files)`. */
export function extentText({ files, rows, bytes }: Extent): string {
  const inFiles = files === 0 ? '' : ` in ${counts(files, 'file')}`;
  return `${counts(rows, 'row')} (${sizeText(bytes)}${inFiles})`;
}

/** `45 files of raw answers (3.4 MB)`. */
export function rawText({ files, bytes }: OperationPreview['raw']): string {
  return `${counts(files, 'file')} of raw answers (${sizeText(bytes)})`;
}

function counts(count: number, what: string): string {
  return `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`;
}

/** Bytes for people, with one decimal: `1.2 MB`. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const size = bytes / 1000 ** power;
  return `${power === 0 ? size : size.toFixed(1)} ${units[power]}`;
}
