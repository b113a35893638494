/** 2,000 things: more than anybody chooses from. */
const MOST_PAGES = 20;

/** Reads a list page by page, at most 20 pages. @param read returns the page at a cursor; without one, the first */
export async function readPages<P extends { nextCursor: string | null }>(
  read: (cursor: string | undefined) => Promise<P>,
): Promise<P[]> {
  const pages: P[] = [];
  for (let cursor: string | undefined; pages.length < MOST_PAGES; ) {
    const page = await read(cursor);
    pages.push(page);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  return pages;
}
