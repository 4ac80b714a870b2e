import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../support/lake-children.ts';

/** A file of opening hours with these lines, until it is disposed of. */
export async function hoursFile(lines: readonly string[]) {
  const folder = await temporaryFolder();
  const path = join(folder.path, 'hours.csv');
  await writeFile(path, ['group,weekday,from,to,zone,since,until', ...lines, ''].join('\n'));
  return { ...folder, path };
}
