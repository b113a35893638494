import 'server-only';
import { z } from 'zod';
import type { Page } from '@/lib/contract/shapes/common';
import { db } from '@/lib/db/client';
import { decodeCursor, encodeCursor } from '@/lib/http/cursor';
import type { DeadLetter } from '@/prisma/generated/client';
import { type Actor, seesAll } from '../actor';

export const deadLetterFilterSchema = z.object({
  state: z.enum(['open', 'all']).default('open'),
  saleId: z.string().max(64).optional(),
  consumer: z.string().max(100).optional(),
});

/** A message or purchase that was given up. Times in ms. */
export type DeadLetterView = {
  id: string;
  /** Who gave it up: a consumer (`mail`, `points`), a function (`confirm-paid`) or the way into the database (`relay`). */
  consumer: string;
  messageId: string;
  saleId: string | null;
  orderNo: string | null;
  payload: unknown;
  error: string;
  attempts: number;
  createdAt: number;
  releasedAt: number | null;
  retriedAt: number | null;
  resolvedAt: number | null;
  resolution: string | null;
  resolvedBy: string | null;
};

export type DeadLetterPage = {
  deadLetters: DeadLetterView[];
  /** How many of what was asked for are still open. */
  open: number;
  nextCursor: string | null;
};

/** What is left out is not asked for. */
export type DeadLetterFilter = { saleId?: string; consumer?: string };

/** What an actor may see: their sales' letters; those of no sale are for operators and admins. */
export const lettersOf = async (actor: Actor) => {
  if (seesAll(actor)) return {};
  const sales = await db().sale.findMany({ where: { merchantId: actor.userId }, select: { id: true } });
  return { saleId: { in: sales.map(({ id }) => id) } };
};

/** One page of dead letters, newest first: the unresolved, or all; of a sale, of a consumer. @returns null for a foreign cursor. */
export async function listDeadLetters(
  actor: Actor,
  { cursor, limit }: Page,
  { state, saleId, consumer }: DeadLetterFilter & { state: 'open' | 'all' },
): Promise<DeadLetterPage | null> {
  const before = cursor === undefined ? undefined : decodeCursor(cursor);
  if (before !== undefined && !/^\d{1,18}$/.test(before)) return null;
  const asked = { AND: [await lettersOf(actor), { saleId, consumer }] };
  const [rows, open] = await Promise.all([
    db().deadLetter.findMany({
      where: {
        ...asked,
        ...(state === 'open' ? { resolvedAt: null } : {}),
        id: before === undefined ? undefined : { lt: BigInt(before) },
      },
      orderBy: { id: 'desc' },
      take: limit + 1,
    }),
    db().deadLetter.count({ where: { ...asked, resolvedAt: null } }),
  ]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    deadLetters: page.map(toView),
    open,
    nextCursor: last && rows.length > limit ? encodeCursor(String(last.id)) : null,
  };
}

/** The row in the interface's words. */
export function toView(row: DeadLetter): DeadLetterView {
  const { id, orderNo, createdAt, releasedAt, retriedAt, resolvedAt, ...rest } = row;
  return {
    ...rest,
    id: String(id),
    orderNo: orderNo === null ? null : String(orderNo),
    createdAt: createdAt.getTime(),
    releasedAt: releasedAt?.getTime() ?? null,
    retriedAt: retriedAt?.getTime() ?? null,
    resolvedAt: resolvedAt?.getTime() ?? null,
  };
}
