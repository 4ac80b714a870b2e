import { type PagingStyle, parsePaging } from '../config/paging-style.ts';
import type { Dialects } from '../run/dialects.ts';

/** The numbered pages by which another listing of the source was read to its end; null where none was. */
export function styleElsewhere({ resources, locks }: Dialects): PagingStyle | null {
  for (const { dialect } of [...Object.values(resources), ...Object.values(locks)]) {
    const style = dialect?.pageSize === undefined ? null : parsePaging(dialect.paging);
    if (style !== null && dialect?.firstPage !== undefined && style.name !== 'range')
      return { ...style, start: dialect.firstPage };
  }
  return null;
}
