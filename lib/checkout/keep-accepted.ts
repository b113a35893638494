import 'server-only';
import type { Purchase } from '@/lib/stock/purchase-stock';
import { rememberAccepted } from './accepted-memory';
import { watchAccepted } from './watch-accepted';

/** Remembers a purchase that Redis has accepted, in case Redis loses it before it is in Postgres. */
export function keepAccepted(purchase: Purchase, acceptedAt: number): void {
  const { saleId, epoch, orderNo, userId, quantity, jti } = purchase;
  rememberAccepted(saleId, epoch, [{ orderNo, userId, quantity, jti, epoch, acceptedAt }]);
  watchAccepted();
}
