import 'server-only';
import type { AcceptedAttempt, RefusedAttempt } from '@/lib/contract/shapes/attempt';
import type { RiskClass } from '@/lib/contract/words/attempt';
import type { OrderStatus } from '@/lib/contract/words/order';
import { db } from '@/lib/db/client';
import { isOutage } from '@/lib/errors/is-outage';
import { decodeOrderNo } from '@/lib/ids/order-no';
import { shardOf } from '@/lib/ids/shard-of';
import { readRefusals } from '@/lib/refusal/read-refusals';
import { readBuyer } from '@/lib/stock/read-buyer';

/** Bounds the orders read. A sale never sells so many to one person. */
const MOST = 100;

/** An attempt with the facts only the shop knows: the entry token that bought, or the judgement of the risk rules. */
export type Attempt = (AcceptedAttempt & { jti: string }) | (RefusedAttempt & { risk: RiskClass });

/**
 * Lists a user's attempts to get into a sale or to buy, earliest first, with their outcomes. The same refusal
 * repeated is one attempt with a count. Accepted attempts come from the orders, and from Redis while they are not
 * written.
 * @throws when Postgres can't be reached. While Redis can't, purchases on their way are left out.
 */
export async function traceAttempts(saleId: string, userId: string): Promise<Attempt[]> {
  const [refusals, orders, records] = await Promise.all([
    readRefusals(saleId, userId),
    db().order.findMany({
      where: { shard: shardOf(userId), userId, saleId },
      orderBy: { id: 'asc' },
      take: MOST,
      select: { id: true, acceptedAt: true, quantity: true, status: true, endReason: true, jti: true },
    }),
    readBuyer(saleId, userId).catch((error: unknown) => {
      if (!isOutage(error)) throw error;
      return [];
    }),
  ]);
  const written = new Set(orders.map(({ id }) => String(id)));
  const attempts: Attempt[] = [
    ...orders.map(({ id, acceptedAt, status, ...rest }) => ({
      ...rest,
      outcome: 'accepted' as const,
      at: acceptedAt.getTime(),
      orderNo: String(id),
      status: status as OrderStatus,
    })),
    ...records
      .filter(({ orderNo, state }) => state === 'held' && !written.has(orderNo))
      .map(({ orderNo, quantity, jti }) => ({
        outcome: 'accepted' as const,
        at: decodeOrderNo(BigInt(orderNo)).atMs,
        orderNo,
        jti,
        quantity,
        status: 'queued' as const,
        endReason: null,
      })),
    ...refusals.map(({ saleId: _sale, userId: _user, firstAt, ...rest }) => ({
      ...rest,
      outcome: 'refused' as const,
      at: firstAt,
    })),
  ];
  return attempts.sort((a, b) => a.at - b.at);
}
