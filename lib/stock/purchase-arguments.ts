import { keys } from '@/lib/redis/keys';
import { formatBought } from './bought';
import { checkId, checkInteger, isId, isOrderNo } from './check-ids';
import type { Purchase } from './purchase-stock';
import type { CountedBy } from './purchase-together';
import { MAX_UNITS_IN_SCRIPTS } from './types';

/** Checks a purchase and returns it as the scripts take it. @throws TypeError or RangeError */
export function argumentsOf(purchase: Purchase) {
  checkPurchase(purchase);
  const { gate, userId } = purchase;
  // The gate comes from the address bar. Text that can't be a gate becomes the empty gate, which no sale has.
  return [isId(gate) ? gate : '', userId, formatBought(purchase)] as const;
}

/** @throws TypeError or RangeError on what the caller should have refused */
export function checkPurchase({ userId, jti, orderNo, quantity }: Purchase): void {
  checkId('userId', userId);
  checkId('jti', jti);
  if (!isOrderNo(orderNo)) throw new TypeError(`not an order number: ${orderNo.slice(0, 80)}`);
  checkInteger('quantity', quantity, 1, MAX_UNITS_IN_SCRIPTS);
}

/** The keys that count a purchase's address and device, where the sale limits them. */
export function countedBy({ saleId, stockId = saleId, address, device }: Purchase): CountedBy {
  return {
    address: address === undefined ? undefined : keys.limit(stockId, 'purchase', 'ip', address),
    device: device === undefined ? undefined : keys.limit(stockId, 'purchase', 'device', device),
  };
}
