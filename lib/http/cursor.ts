import { page } from '@/lib/contract/shapes/common';

/** Reads `?cursor=&limit=` (1–100, default 20). */
export function parsePage(url: string) {
  const params = new URL(url).searchParams;
  return page.safeParse({
    cursor: params.get('cursor') || undefined,
    limit: params.get('limit') || undefined,
  });
}

/** Turns any short string key into an opaque cursor. */
export const encodeCursor = (key: string): string => Buffer.from(key).toString('base64url');
export const decodeCursor = (cursor: string): string =>
  // Drops zero bytes, which Postgres can't take. No cursor of ours has one.
  Buffer.from(cursor, 'base64url').toString().replaceAll('\0', '');

/**
 * Makes a page of a list, of which one row more than `limit` was read if there are so many.
 * @param keyOf returns the key of a page's last row, from which the next page is read on
 * @returns the page, and the cursor of the next one; null if there is none
 */
export function pageOfRows<R>(
  rows: readonly R[],
  limit: number,
  keyOf: (last: R) => string,
): { page: R[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: last && rows.length > limit ? encodeCursor(keyOf(last)) : null };
}
