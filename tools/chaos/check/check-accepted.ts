import type { Case, Violation } from './types';

/** A purchase accepted this long before Redis lost everything may not have been written to Postgres yet. */
const UNWRITTEN_MS = 20_000;

/**
 * Checks that every 202 is an order of that user, that token and those units, or a recorded compensation; that a
 * token has one order; and that no accepted shopper ever hears that there is no such order.
 */
export function checkAccepted({ ledger, books, facts }: Case): Violation[] {
  const found: Violation[] = [];
  const broken = (rule: string, problem: string, ...orderNos: string[]) =>
    found.push({ rule, problem, orderNos });
  const orders = new Map(books.orders.map((order) => [order.orderNo, order]));
  const letters = new Map(books.deadLetters.map((letter) => [letter.orderNo, letter]));
  const acceptedAt = new Map<string, number>();
  const byToken = new Map<string, string>();

  for (const { outcome, jti, userId, quantity, answeredAt } of ledger.purchases) {
    if (outcome.kind !== 'accepted') continue;
    const { orderNo } = outcome;
    const earlier = byToken.get(jti);
    if (earlier !== undefined && earlier !== orderNo) {
      broken('one order per token', `token ${jti} was answered ${earlier} and ${orderNo}`, earlier, orderNo);
    }
    byToken.set(jti, orderNo);
    if (acceptedAt.has(orderNo)) continue;
    acceptedAt.set(orderNo, answeredAt);

    const order = orders.get(orderNo);
    const letter = letters.get(orderNo);
    if (order) {
      const { status } = order;
      if (order.userId !== userId || order.jti !== jti || order.quantity !== quantity) {
        broken('accepted is found', `order ${orderNo} is not what ${userId} was promised by ${jti}`, orderNo);
      }
      if (status === 'failed' && !letter?.released) {
        broken('accepted is found', `order ${orderNo} failed without a compensation on record`, orderNo);
      }
    } else if (!letter?.released) {
      const isLost = facts.redisLostAt.some((at) => answeredAt <= at && at - answeredAt < UNWRITTEN_MS);
      if (!isLost)
        broken('accepted is found', `${orderNo} was accepted for ${userId} and exists in no store`, orderNo);
    }
  }
  for (const { orderNo, status, askedAt } of ledger.statuses) {
    const since = acceptedAt.get(orderNo);
    const isLost = facts.redisLostAt.length > 0 && !orders.has(orderNo);
    if (status === 'unknown' && since !== undefined && askedAt >= since && !isLost) {
      broken('accepted is found', `${orderNo} was answered 404 after it was accepted`, orderNo);
    }
  }
  const tokens = new Map<string, string>();
  for (const { jti, orderNo } of books.orders) {
    const other = tokens.get(jti);
    if (other)
      broken('one order per token', `token ${jti} made orders ${other} and ${orderNo}`, other, orderNo);
    tokens.set(jti, orderNo);
  }
  return found;
}
