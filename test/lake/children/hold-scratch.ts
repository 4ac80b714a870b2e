import { writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';

/** Writes into the lake's scratch area, says so, and stays until it is killed. */
const [path = ''] = process.argv.slice(2);
const scratch = await folderLake(path).scratch();
writeFileSync(join(scratch.path, 'part'), 'an answer');
writeSync(1, scratch.path);
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
