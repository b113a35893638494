import { z } from 'zod';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

export const pageSchema = z.object({
  cursor: z
    .string()
    .max(200)
    .regex(/^[\w-]+$/, 'is not a cursor of ours')
    .optional(),
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
});

export type Page = z.output<typeof pageSchema>;

/** Reads `?cursor=&limit=` (1–100, default 20). */
export function parsePage(url: string) {
  const params = new URL(url).searchParams;
  return pageSchema.safeParse({
    cursor: params.get('cursor') || undefined,
    limit: params.get('limit') || undefined,
  });
}

/** An opaque cursor for any short string key. */
export const encodeCursor = (key: string): string => Buffer.from(key).toString('base64url');
export const decodeCursor = (cursor: string): string =>
  // Not one of ours if it holds a zero byte, which Postgres would choke on.
  Buffer.from(cursor, 'base64url').toString().replaceAll('\0', '');
