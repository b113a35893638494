import { z } from 'zod';
import { MAX_QUANTITY } from '../words/purchase';
import { MAX_VARIANTS } from '../words/variant';

/** The choice that a shopper makes with a purchase. `parseWish` checks the same by hand, because it is on the hot path. */
export const purchaseWish = z.object({
  quantity: z.int().min(1).max(MAX_QUANTITY).default(1),
  variant: z
    .int()
    .min(0)
    .max(MAX_VARIANTS)
    .default(0)
    .describe("The number of one of the sale's variants, from 1; 0 where it has none."),
});
export type PurchaseWish = z.output<typeof purchaseWish>;

/** The choice that a shopper makes with a place for one unit. */
export const variantWish = purchaseWish.pick({ variant: true });

/** The same choice as an order shows it. */
export const orderedWish = z.object({
  quantity: z.int(),
  variant: z.int().describe('The number of its variant, from 1; 0: the sale has none.'),
});
