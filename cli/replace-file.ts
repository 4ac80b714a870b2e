import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { UsageError } from '#lib/errors.ts';

/**
 * Replaces the text of a config or a file of keys. A reader, even after a crash, finds the old text or the
 * new one; for a link the target is written. Throws UsageError CONFIG_NOT_WRITTEN.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const file = await realpath(path);
  const next = `${file}.${process.pid}.new`;
  const { mode } = await stat(file);
  try {
    await writeFile(next, text, { flag: 'wx', mode, flush: true });
    await rename(next, file);
  } catch (cause) {
    await rm(next, { force: true });
    throw new UsageError(
      `${file} cannot be written: give this user the right to write it and its folder, or write the settings by hand.`,
      'CONFIG_NOT_WRITTEN',
      cause,
    );
  }
}
