import 'server-only';
import { rememberAccepted, rememberRepeated } from '@/lib/accepted/accepted-memory';
import { decodeOrderNo } from '@/lib/ids/order-no';
import type { Purchase } from '@/lib/stock/purchase-stock';
import { watchAccepted } from './watch-accepted';

/** Remembers a purchase that Redis has accepted, in case Redis loses it before it is in Postgres. */
export function keepAccepted(purchase: Purchase, acceptedAt: number): void {
  const { saleId, stockId = saleId, epoch, orderNo, userId, quantity, jti } = purchase;
  rememberAccepted(stockId, epoch, [{ orderNo, userId, quantity, jti, epoch, acceptedAt }]);
  watchAccepted();
}

/**
 * Remembers the purchase of a token that gets its first answer again. The process that decided that answer may be
 * dead, or may never have sent it.
 * @param purchase `orderNo` and `quantity` of the first answer
 */
export function keepRepeated(purchase: Purchase): void {
  const { saleId, stockId = saleId, epoch, orderNo, userId, quantity, jti } = purchase;
  const acceptedAt = decodeOrderNo(BigInt(orderNo)).atMs;
  rememberRepeated(stockId, epoch, { orderNo, userId, quantity, jti, epoch, acceptedAt });
  watchAccepted();
}
