import { page } from '@/lib/contract/shapes/common';

/** Reads `?cursor=&limit=` (1–100, default 20). */
export function parsePage(url: string) {
  const params = new URL(url).searchParams;
  return page.safeParse({
    cursor: params.get('cursor') || undefined,
    limit: params.get('limit') || undefined,
  });
}

/** An opaque cursor for any short string key. */
export const encodeCursor = (key: string): string => Buffer.from(key).toString('base64url');
export const decodeCursor = (cursor: string): string =>
  // Not one of ours if it holds a zero byte, which Postgres would choke on.
  Buffer.from(cursor, 'base64url').toString().replaceAll('\0', '');
