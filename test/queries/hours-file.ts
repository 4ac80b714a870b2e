import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file of opening hours with these lines, until it is disposed of. */
export async function hoursFile(lines: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'signage-export-hours-'));
  const path = join(folder, 'hours.csv');
  await writeFile(path, ['group,weekday,from,to,zone', ...lines, ''].join('\n'));
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}
