import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { s3Lake } from '#lib/aws/s3-lake.ts';

/** A Lambda that dies with a copy on its disk; with `exit`, a command that ends so. */
const lake = s3Lake('s3://some-bucket', { pathStyle: true });
await writeFile(join(lake.folders[0] ?? '', 'copies', 'raw'), 'answers');
if (process.argv[2] === 'exit') process.exit(7);
process.kill(process.pid, 'SIGKILL');
