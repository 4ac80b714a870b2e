import { ExportError } from '#lib/errors.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';

/** Puts 1 MiB as an ordinary user, even where root runs the tests; prints the error that this ends with. */
const [path = ''] = process.argv.slice(2);
if (process.getuid?.() === 0) process.setuid?.(65_534);
try {
  await folderLake(path).write('raw/a', Buffer.alloc(1 << 20));
} catch (error) {
  if (!(error instanceof ExportError)) throw error;
  const { code, message } = error;
  process.stdout.write(JSON.stringify({ code, message }));
}
