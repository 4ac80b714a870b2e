/** 1,000,000 records at 100 a page; at 20 calls a second 8 minutes. */
const MAX_PAGES = 10_000;
/** The most empty pages in a row whose server says that there is more. */
const EMPTY_AT_MOST = 100;

/** Why a listing of so many pages, the last of which were empty, has no end; null where it may have one. */
export function endlessText(pages: number, empty: number): string | null {
  if (pages >= MAX_PAGES) return `${MAX_PAGES} pages have not come to an end`;
  return empty >= EMPTY_AT_MOST ? `${EMPTY_AT_MOST} pages without a record say that there is more` : null;
}
