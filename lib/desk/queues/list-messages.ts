import 'server-only';
import { z } from 'zod';
import type { Page } from '@/lib/contract/shapes/common';
import { db } from '@/lib/db/client';
import { decodeCursor, encodeCursor } from '@/lib/http/cursor';
import { CONSUMED_TOPICS, RELAYED_TOPICS } from '@/lib/outbox/put-message';
import type { Actor } from '../actor';
import { ownSales } from './own-sales';

export const messageFilterSchema = z.object({
  state: z.enum(['waiting', 'failing']).default('waiting'),
  topic: z.enum([...RELAYED_TOPICS, ...CONSUMED_TOPICS]).optional(),
  saleId: z.string().max(64).optional(),
});

/** A message of the transactional outbox that is not delivered yet. Times in epoch ms. */
export type DeskMessage = {
  id: string;
  topic: string;
  payload: Record<string, string>;
  attempts: number;
  /** Of its last attempt; null while it is being tried, and before the first. */
  lastError: string | null;
  createdAt: number;
  nextTryAt: number;
};

type Row = Omit<DeskMessage, 'id' | 'createdAt' | 'nextTryAt'> & {
  id: bigint;
  createdAt: Date;
  nextTryAt: Date;
};

/**
 * One page of the messages that wait, newest first, or of those of them that have failed before: of the actor's sales, or
 * all. @returns null for a foreign cursor
 */
export async function listMessages(
  actor: Actor,
  { cursor, limit }: Page,
  { state, topic, saleId = '' }: z.output<typeof messageFilterSchema>,
): Promise<{ messages: DeskMessage[]; nextCursor: string | null } | null> {
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
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    messages: page.map(({ id, createdAt, nextTryAt, ...row }) => ({
      ...{ ...row, id: String(id), createdAt: createdAt.getTime(), nextTryAt: nextTryAt.getTime() },
    })),
    nextCursor: last && rows.length > limit ? encodeCursor(String(last.id)) : null,
  };
}
