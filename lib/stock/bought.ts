import type { PurchaseWish } from '@/lib/contract/shapes/purchase';
import { isId, isOrderNo } from './check-ids';

/**
 * The part of a purchase that travels from the request to the order. The scripts pass it on as one text and read only
 * its first words: `jti,orderNo,quantity`, and `variant` after them where the sale has some.
 */
export type Bought = Pick<PurchaseWish, 'quantity'> & {
  /** The number of the sale's variant, from 1; 0 or left out: the sale has none. */
  variant?: number;
  /** Id of the entry token used for the purchase; also the purchase's idempotency key. */
  jti: string;
  /** The number that the order gets if the purchase is accepted. */
  orderNo: string;
};

type Wished = Pick<Bought, 'quantity' | 'variant'>;

/** Returns what was asked for, of anything that holds it. */
export const wishOf = ({ quantity, variant = 0 }: Wished): PurchaseWish => ({ quantity, variant });

/** Tells whether two purchases ask for the same. */
export const isSameWish = (one: Wished, other: Wished): boolean =>
  one.quantity === other.quantity && (one.variant ?? 0) === (other.variant ?? 0);

/** Formats a purchase as the scripts take it and as the stock remembers it. */
export const formatBought = ({ jti, orderNo, quantity, variant }: Bought): string =>
  variant ? `${jti},${orderNo},${quantity},${variant}` : `${jti},${orderNo},${quantity}`;

const COUNT = /^[1-9]\d*$/;

/** Parses the words of a purchase; null if they are not what `formatBought` writes. */
export function parseBought(words: readonly string[]): Bought | null {
  const [jti = '', orderNo = '', quantity = '', variant, ...rest] = words;
  if (!isId(jti) || !isOrderNo(orderNo) || !COUNT.test(quantity) || rest.length > 0) return null;
  if (variant !== undefined && !COUNT.test(variant)) return null;
  const bought = { jti, orderNo, quantity: Number(quantity) };
  return variant === undefined ? bought : { ...bought, variant: Number(variant) };
}
