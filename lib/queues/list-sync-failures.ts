import 'server-only';
import { type Actor, shopsOf } from '@/lib/actor/actor';
import type { Page } from '@/lib/contract/shapes/common';
import type { AdminSyncFailure } from '@/lib/contract/shapes/queue';
import type { CopyKind } from '@/lib/contract/words/queue';
import { db } from '@/lib/db/client';
import { decodeCursor, pageOfRows } from '@/lib/http/cursor';

type Row = {
  kind: CopyKind;
  name: string;
  since: Date;
  attempts: number;
  next_try_at: Date | null;
  error: string;
};

/**
 * Returns one page of the changes that have not reached the cache or the CDN yet, of the sales of the actor's shops, by
 * kind and name.
 */
export async function listSyncFailures(
  actor: Actor,
  { cursor, limit }: Page,
): Promise<{ failures: AdminSyncFailure[]; nextCursor: string | null }> {
  const shops = await shopsOf(actor);
  const isAll = shops === null;
  const [afterKind = '', afterName = ''] = cursor ? decodeCursor(cursor).split('\n') : [];
  const rows = await db().$queryRaw<Row[]>`
    SELECT kind, name, since, attempts, next_try_at, error
    FROM sync_failures f
    WHERE expires_at > now()
      AND (kind, name) > (${afterKind}, ${afterName})
      AND (${isAll} OR EXISTS (SELECT 1 FROM sales s
                               WHERE s.merchant_id = ANY (${shops ?? []}::text[]) AND (s.id = f.subject OR s.slug = f.subject)))
    ORDER BY kind, name
    LIMIT ${limit + 1}`;
  const { page, nextCursor } = pageOfRows(rows, limit, (last) => `${last.kind}\n${last.name}`);
  return {
    failures: page.map((row) => ({
      kind: row.kind,
      name: row.name,
      since: row.since.getTime(),
      attempts: row.attempts,
      nextTryAt: row.next_try_at?.getTime() ?? null,
      error: isAll ? row.error : null,
    })),
    nextCursor,
  };
}
