import { createInterface } from 'node:readline/promises';
import { UsageError } from '#lib/errors.ts';
import type { Extent, OperationPreview } from '#lib/run/payloads.ts';
import { flag } from './options.ts';
import { note, say } from './say.ts';

/** The options of a command that can first show what it would change. */
export const dryRun = () => flag('--dry-run', 'only say what would change, in rows and bytes');
export const yes = () => flag('--yes', 'do it without a question; without this, a terminal asks');

export interface FirstOptions extends Readonly<Record<'dryRun' | 'yes' | 'json', boolean>> {
  readonly preview: () => Promise<OperationPreview>;
  /** One or more sentences. */
  readonly text: (found: OperationPreview) => string;
}

/**
 * Whether the command continues, for every command that removes something. With --dry-run it only shows what
 * would change. A person at a terminal sees it and must agree, unless --yes is set; with --json it is on
 * stderr. Without a terminal the command continues, because a script has decided it.
 */
export async function isToBeDone(options: FirstOptions): Promise<boolean> {
  const { dryRun, yes, json, preview, text } = options;
  const asks = process.stdin.isTTY && !yes;
  if (!dryRun && !asks) return true;
  const found = await preview();
  if (json && dryRun) say({ dryRun: true, ...found });
  else if (json) note(text(found));
  else say(dryRun ? `${text(found)} Nothing is changed.` : text(found));
  if (dryRun) return false;
  const isWanted = await isAgreed();
  if (!isWanted) note('Nothing is changed.');
  return isWanted;
}

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
  const counted = `${counts(rows, 'row')} (${sizeText(bytes)}`;
  return files === 0 ? `${counted})` : `${counted} in ${counts(files, 'file')})`;
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
