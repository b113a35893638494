import 'server-only';
import type { Db } from '@/lib/db/client';
import type { Shop } from '@/prisma/generated/client';

/**
 * Locks a shop until the transaction ends: changes of its members take turns, so that two owners who remove each other
 * can't both succeed. A caller that also locks an account does that first.
 * @returns null if there is no such shop
 */
export async function lockShop(tx: Db, shopId: string): Promise<Shop | null> {
  await tx.$executeRaw`SELECT 1 FROM shops WHERE id = ${shopId} FOR NO KEY UPDATE`;
  return tx.shop.findUnique({ where: { id: shopId } });
}
