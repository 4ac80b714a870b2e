import { wordsOf } from '../beside/words.ts';

/* The query parameters by which APIs in use are asked for further pages, those of most of them first. */

const list = (text: string): readonly string[] => text.split(/\s+/);

export const PAGES = list(
  `page _page __page pageNumber current_page page_number p pageIndex pageNum pageNo currentPage page_num page_no
  page_index pg PageNumber Page`,
);

export const OFFSETS = list(
  `offset skip $skip start _start startIndex from startAt start_index first_result firstResult firstRow startRow first
  Offset StartIndex`,
);

export const CURSORS = list(
  `cursor after token pageToken page_token next_token continuation marker continue position nextToken
  continuationToken bookmark scroll_id start from starting_after since page next search_after scrollId
  resumptionToken ExclusiveStartKey exclusiveStartKey start_cursor startCursor start_after startAfter start-after
  pagination_token page_info $skiptoken skiptoken continuation-token Marker key-marker NextToken offset since_id
  after_id last_id lastKey startKey start_key pageCursor page_cursor`,
);

/** Those that are asked with the id of the last record, as Stripe's. */
export const AFTER_LAST = list(
  'starting_after after since_id last_id after_id startAfter start_after marker',
);

/**
 * The parameters that the name of a cursor's member or header may stand for: `nextPageToken` may be asked for as
 * `pageToken` and `page_token`. A header has lost the case of its words, and the vendor before them (`x-ms-`) may belong to
 * the name.
 */
export function paramsOf(name: string): readonly string[] {
  const words = wordsOf(name.replace(/^@?(header:)?(x-)?/i, ''));
  if (words.length === 0) return [];
  const [first = '', ...others] = words;
  const rest = first === 'next' && others.length > 0 ? [others] : [];
  const forms = [words, ...rest].flatMap((each) => {
    const camel = each.map((word, index) => (index === 0 ? word : upper(word))).join('');
    return [camel, each.join('_'), each.join('-'), upper(camel)];
  });
  return [...forms, `x-${words.join('-')}`, `x-ms-${words.join('-')}`];
}

function upper(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
