import 'server-only';
import type { Db } from '@/lib/db/client';

/** Why no new sale can sell a product. */
export type ProductRefusal = { status: 'product_archived' };

/** Refuses an archived product. The product stays as it is until the transaction ends. */
export async function refuseArchived(tx: Db, productId: string): Promise<ProductRefusal | null> {
  const active = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM products WHERE id = ${productId} AND status = 'active' FOR SHARE`;
  return active.length > 0 ? null : { status: 'product_archived' };
}
