import 'server-only';
import { rememberAccepted, rememberRepeated } from '@/lib/accepted/accepted-memory';
import { acceptedOf } from '@/lib/outbox/accepted-order';
import type { Purchase } from '@/lib/stock/purchase-stock';
import { watchAccepted } from './watch-accepted';

type Kept = Omit<Purchase, 'gate'>;

/** Remembers a purchase that Redis has accepted, in case Redis loses it before it is in Postgres. */
export function keepAccepted(purchase: Kept, acceptedAt: number): void {
  rememberAccepted(purchase.stockId ?? purchase.saleId, purchase.epoch, [acceptedOf(purchase, acceptedAt)]);
  watchAccepted();
}

/**
 * Remembers the purchase of a token that gets its first answer again. The process that decided that answer may be
 * dead, or may never have sent it.
 * @param purchase `orderNo` and `quantity` of the first answer
 */
export function keepRepeated(purchase: Kept): void {
  rememberRepeated(purchase.stockId ?? purchase.saleId, purchase.epoch, acceptedOf(purchase));
  watchAccepted();
}
