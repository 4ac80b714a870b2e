import { PAGES } from '../report/page-files.ts';
import type { Environment } from '../runtime/environment.ts';
import { consoleHost } from './console-host.ts';
import { s3Objects } from './s3-objects.ts';

/**
 * Puts a page under names into the bucket of results, and gives the address at which the AWS console shows the first to
 * whoever may read it.
 */
export function resultPages({
  results,
  region,
  pathStyle,
}: Pick<Environment, 'results' | 'region' | 'pathStyle'>) {
  const objects = s3Objects({ bucket: results, pathStyle });
  return async (names: readonly string[], html: string): Promise<string> => {
    for (const name of names) {
      await objects.put(`${PAGES}${name}`, Buffer.from(html), { contentType: 'text/html; charset=utf-8' });
    }
    return `https://${region}.${consoleHost(region)}/s3/object/${results}?region=${region}&prefix=${PAGES}${names[0] ?? ''}`;
  };
}
