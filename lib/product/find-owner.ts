import 'server-only';
import { db } from '@/lib/db/client';

/** Returns a product's merchant and slug; null if there is no such product. */
export const findProductOwner = (productId: string): Promise<{ merchantId: string; slug: string } | null> =>
  db().product.findUnique({ where: { id: productId }, select: { merchantId: true, slug: true } });
