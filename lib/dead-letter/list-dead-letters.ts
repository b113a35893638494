import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import type { Page } from '@/lib/contract/shapes/common';
import type { DeadLetterFilter, DeadLetterPage, DeadLetterView } from '@/lib/contract/shapes/queue';
import type { ShopAct } from '@/lib/contract/words/shop';
import { db } from '@/lib/db/client';
import { decodeCursor, pageOfRows } from '@/lib/http/cursor';
import { ownSales } from '@/lib/queues/own-sales';
import type { DeadLetter } from '@/prisma/generated/client';

/**
 * Makes the filter for the dead letters to which an actor may do something: those of their shops' sales. Letters without a
 * sale are for operators and admins.
 */
export const lettersOf = async (actor: Actor, act: ShopAct = 'see') => {
  const sales = await ownSales(actor, act);
  return sales === null ? {} : { saleId: { in: sales } };
};

/**
 * Returns one page of dead letters, newest first: only the unresolved or all; also those of one sale or one consumer.
 * @returns null for a foreign cursor.
 */
export async function listDeadLetters(
  actor: Actor,
  { cursor, limit }: Page,
  { state, saleId, consumer }: DeadLetterFilter,
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
  const { page, nextCursor } = pageOfRows(rows, limit, (last) => String(last.id));
  return {
    deadLetters: page.map(toView),
    open,
    nextCursor,
  };
}

/** Turns a database row into the API's view. */
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
