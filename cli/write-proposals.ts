import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { parseConfig } from '#lib/config/parse-config.ts';
import { UsageError } from '#lib/errors.ts';
import type { WrittenConfig } from './check-sources.ts';
import { type Change, type Proposal, withProposals } from './proposals.ts';

/**
 * Writes all proposals into the config's file, or none, and leaves the rest of it as it was. Gives what was written.
 * Throws CONFIG_CHANGED if the file has changed since it was checked.
 */
export async function writeProposals(
  checked: WrittenConfig,
  proposals: readonly Proposal[],
): Promise<readonly Change[]> {
  if (proposals.length === 0) return [];
  // If the file is a link, its target is written.
  const file = await realpath(checked.file);
  if ((await readFile(file, 'utf8')) !== checked.text) {
    throw new UsageError(
      `${checked.file} was changed while it was checked, so nothing was written: run check --write again.`,
      'CONFIG_CHANGED',
    );
  }
  const { text, changes } = withProposals(checked.text, proposals);
  parseConfig(text, checked.file);
  await replaceFile(file, text);
  return changes;
}

/** Replaces a file as a whole: a reader, also after a crash, finds the old text or the new one. */
async function replaceFile(file: string, text: string): Promise<void> {
  const beside = `${file}.${process.pid}.new`;
  const { mode } = await stat(file);
  try {
    const written = await open(beside, 'wx', mode);
    try {
      await written.writeFile(text);
      await written.sync();
    } finally {
      await written.close();
    }
    await rename(beside, file);
  } catch (cause) {
    await rm(beside, { force: true });
    throw new UsageError(
      `${file} cannot be written: give this user the right to write it and its folder, or write the settings by hand.`,
      'CONFIG_NOT_WRITTEN',
      cause,
    );
  }
}
