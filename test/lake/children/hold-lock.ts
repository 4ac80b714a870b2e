import { writeSync } from 'node:fs';
import { withFolderLock } from '#lib/lake/folder/folder-lock.ts';

/** Takes the lake's lock, says so, and keeps it until it is killed. */
const [path = ''] = process.argv.slice(2);
withFolderLock(path, () => {
  writeSync(1, 'held');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
