import { z } from 'zod';
import { MAX_QUANTITY } from '../words/purchase';

/** The choice that a shopper makes with a purchase. `parseWish` checks the same by hand, because it is on the hot path. */
export const purchaseWish = z.object({ quantity: z.int().min(1).max(MAX_QUANTITY).default(1) });
export type PurchaseWish = z.output<typeof purchaseWish>;

/** The same choice as an order shows it. */
export const orderedWish = z.object({ quantity: z.int() });
