import { counted } from '../../text.ts';

/** 1,000,000 records at 100 a page; at 20 calls a second 8 minutes. */
const MAX_PAGES = 10_000;
/** The most empty pages in a row whose server says that there is more. */
const EMPTY_AT_MOST = 100;
/** For 10,000 pages at a call a second 2.8 hours are needed. By Lambdas a listing has 15 minutes. */
const LISTING_HOURS = 4;
/** A child's pages hold up those who wait for its source. */
const CHILD_HOURS = 1;
const HOUR_MS = 3_600_000;

/** Why pages that come since `begun` have no end; null where they may have one. */
export function unendingText({
  begun,
  answeredAt,
  isChild,
}: {
  readonly begun: Date;
  readonly answeredAt: Date;
  readonly isChild: boolean;
}): string | null {
  const hours = isChild ? CHILD_HOURS : LISTING_HOURS;
  if (answeredAt.getTime() - begun.getTime() < hours * HOUR_MS) return null;
  return `the pages have not come to an end in ${counted(hours, 'hour')}`;
}

/** Why a listing of so many pages, the last of which were empty, has no end; null where it may have one. */
export function endlessText(pages: number, empty: number): string | null {
  if (pages >= MAX_PAGES) return `${MAX_PAGES} pages have not come to an end`;
  return empty >= EMPTY_AT_MOST ? `${EMPTY_AT_MOST} pages without a record say that there is more` : null;
}
