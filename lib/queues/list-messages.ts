import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import type { Page } from '@/lib/contract/shapes/common';
import type { AdminMessage, MessageFilter } from '@/lib/contract/shapes/queue';
import { db } from '@/lib/db/client';
import { decodeCursor, pageOfRows } from '@/lib/http/cursor';
import { ownSales } from './own-sales';

type Row = Omit<AdminMessage, 'id' | 'createdAt' | 'nextTryAt'> & {
  id: bigint;
  createdAt: Date;
  nextTryAt: Date;
};

/**
 * Returns one page of the waiting messages, newest first, or only of those that have failed before: of the actor's
 * sales, or all. @returns null for a foreign cursor
 */
export async function listMessages(
  actor: Actor,
  { cursor, limit }: Page,
  { state, topic, saleId = '' }: MessageFilter,
): Promise<{ messages: AdminMessage[]; nextCursor: string | null } | null> {
  const before = cursor === undefined ? '' : decodeCursor(cursor);
  if (cursor !== undefined && !/^\d{1,18}$/.test(before)) return null;
  const own = await ownSales(actor);
  const rows = await db().$queryRaw<Row[]>`
    SELECT id, topic, payload, attempts, last_error AS "lastError", created_at AS "createdAt",
           next_attempt_at AS "nextTryAt"
    FROM outgoing_messages
    WHERE sent_at IS NULL
      AND (${before} = '' OR id < nullif(${before}, '')::bigint)
      AND (${state} = 'waiting' OR attempts > 0)
      AND (${topic ?? ''} = '' OR topic = ${topic ?? ''})
      AND (${saleId} = '' OR payload->>'saleId' = ${saleId})
      AND (${own === null} OR payload->>'saleId' = ANY (${own ?? []}::text[]))
    ORDER BY id DESC LIMIT ${limit + 1}`;
  const { page, nextCursor } = pageOfRows(rows, limit, (last) => String(last.id));
  return {
    messages: page.map(({ id, createdAt, nextTryAt, ...row }) => ({
      ...row,
      id: String(id),
      createdAt: createdAt.getTime(),
      nextTryAt: nextTryAt.getTime(),
    })),
    nextCursor,
  };
}
