import { randomBytes } from 'node:crypto';
import { ExportError } from '#lib/errors.ts';
import { createRawFile } from '#lib/lake/raw/raw-file.ts';
import { rawRow } from '../../support/raw-row.ts';

/** Writes 1 MiB that cannot be compressed as a raw file; prints the error that this ends with. */
const [path = ''] = process.argv.slice(2);
try {
  const file = await createRawFile(path);
  await file.append(rawRow({ body: Buffer.from(randomBytes(1 << 20).toString('base64')) }));
  await file.close({});
} catch (error) {
  if (!(error instanceof ExportError)) throw error;
  process.stdout.write(JSON.stringify({ code: error.code }));
}
