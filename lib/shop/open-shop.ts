import 'server-only';
import type { Db } from '@/lib/db/client';

const MAX_NAME = 100;

/**
 * Opens the shop of an account, with the account as its owner. Each account opens one at most: the shop has its id. Does
 * nothing if it was opened before, also if the account has left it since.
 */
export async function openShop(tx: Db, { userId, name }: { userId: string; name: string }): Promise<void> {
  const { count } = await tx.shop.createMany({
    data: { id: userId, name: name.trim().slice(0, MAX_NAME) || 'Shop' },
    skipDuplicates: true,
  });
  if (count === 0) return;
  await tx.shopMember.create({ data: { shopId: userId, userId, role: 'owner', addedBy: userId } });
}
