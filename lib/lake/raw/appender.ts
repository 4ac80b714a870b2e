import { createHash } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { folderError } from '../folder/folder-errors.ts';

/** Appends to a new file. parquetjs-lite does not wait for its first write, so `written` throws its error later. */
export function appender(path: string) {
  let bytes = 0;
  const hash = createHash('sha256');
  let done: Promise<void> = Promise.resolve();
  return {
    write: async (buffer: Buffer) => {
      const flag = bytes === 0 ? 'wx' : 'a';
      bytes += buffer.length;
      hash.update(buffer);
      done = done.then(() => appendFile(path, buffer, { flag }));
      await done.catch(() => {});
    },
    /** The SHA-256 of all bytes so far. */
    sum: () => hash.copy().digest('hex'),
    /** Waits until all is written. */
    written: async () => {
      try {
        await done;
      } catch (cause) {
        throw folderError(cause, path);
      }
    },
  };
}
