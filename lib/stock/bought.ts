import type { PurchaseWish } from '@/lib/contract/shapes/purchase';
import { isId, isOrderNo } from './check-ids';

/**
 * The part of a purchase that travels from the request to the order. The scripts pass it on as one text and read only
 * its first three words: `jti,orderNo,quantity`.
 */
export type Bought = PurchaseWish & {
  /** Id of the entry token used for the purchase; also the purchase's idempotency key. */
  jti: string;
  /** The number that the order gets if the purchase is accepted. */
  orderNo: string;
};

/** Returns what was asked for, of anything that holds it. */
export const wishOf = ({ quantity }: PurchaseWish): PurchaseWish => ({ quantity });

/** Formats a purchase as the scripts take it and as the stock remembers it. */
export const formatBought = ({ jti, orderNo, quantity }: Bought): string => `${jti},${orderNo},${quantity}`;

/** Parses the words of a purchase; null if they are not what `formatBought` writes. */
export function parseBought(words: readonly string[]): Bought | null {
  const [jti = '', orderNo = '', quantity = '', ...rest] = words;
  if (!isId(jti) || !isOrderNo(orderNo) || !/^[1-9]\d*$/.test(quantity) || rest.length > 0) return null;
  return { jti, orderNo, quantity: Number(quantity) };
}
