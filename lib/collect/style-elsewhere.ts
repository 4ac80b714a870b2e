import { type PagingStyle, parsePaging } from '../config/paging-style.ts';
import type { Dialects } from '../run/dialects.ts';

/** The numbered paging by which the run read another listing of the source to its end; null if none. */
export function styleElsewhere({ resources, locks }: Dialects): PagingStyle | null {
  for (const { dialect } of [...Object.values(resources), ...Object.values(locks)]) {
    const style = dialect?.pageSize === undefined ? null : parsePaging(dialect.paging);
    if (style !== null && dialect?.firstPage !== undefined && style.name !== 'range')
      return { ...style, start: dialect.firstPage };
  }
  return null;
}
