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
